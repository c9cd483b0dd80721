//! How a program is named where agents are.

use crate::play::referee::{Confinement, Patience, Program};
use crate::play::rules_name::RulesName;
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

/// What can be set: name, default, values and meaning. But for `rules` and `user` they are options of `lab referee`.
pub const SETTINGS: [[&str; 4]; 7] = [
    ["rules", "the game's", "addendum or original", "by which its plays are judged"],
    ["user", "own", "own or same", "whether, as root, it runs as a user of its own or as root too"],
    ["memory", "4096", "MiB", "what it and all that it starts may have"],
    ["file-size", "256", "MiB", "how large a file may be"],
    ["processes", "1000", "a number", "how many processes and threads there may be at the same time"],
    ["grace", "10", "seconds", "how long after its time it is killed"],
    ["wall-factor", "4", "a number", "after how many times its time and grace, by the clock on the wall"],
];

/// A program as a spec names it: `program(COMMAND)`, or with settings `program(COMMAND, rules=original, memory=512)`.
///
/// The command line is divided and quoted as in a shell, and what has a comma in it must stand in quotes:
/// `program(lab agent 'mcts(c=1, fpu=0)')`. No shell runs.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramSpec {
    /// The command line.
    pub program: Program,
    /// The rules by which its plays are judged, if they are not those of the game.
    pub rules: Option<RulesName>,
    /// What it may do and use besides time.
    pub confinement: Confinement,
    /// When it is killed.
    pub patience: Patience,
}

impl ProgramSpec {
    /// Whether `spec` is meant to name a program.
    pub fn is_one(spec: &str) -> bool {
        spec.split('(').next().is_some_and(|name| name.trim() == "program")
    }

    /// The program that `spec` names.
    ///
    /// # Errors
    /// The spec is not of this form, or there is no such program.
    pub fn parse(spec: &str) -> Result<ProgramSpec> {
        let (command, settings) = parts(spec)?;
        let mut parsed = ProgramSpec {
            program: Program::parse(command)?,
            rules: None,
            confinement: Confinement::default(),
            patience: Patience::default(),
        };
        for setting in settings {
            parsed.set(setting)?;
        }
        Ok(parsed)
    }

    fn set(&mut self, setting: &str) -> Result<()> {
        let (name, value) = name_and_value(setting);
        let Confinement { resources, own_user, .. } = &mut self.confinement;
        let number = |least: u64| value.parse().ok().filter(|number| (least..1 << 40).contains(number));
        let seconds = || value.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds.is_finite());
        let done = match (name, value) {
            ("rules", value) => rules_of(value).map(|rules| self.rules = Some(rules)),
            ("user", "own" | "same") => {
                *own_user = value == "own";
                Some(())
            }
            ("memory", _) => number(16).map(|memory| resources.memory = memory),
            ("file-size", _) => number(1).map(|size| resources.file_size = size),
            ("processes", _) => number(1).map(|processes| resources.processes = processes),
            ("grace", _) => seconds().map(|grace| self.patience.grace = grace),
            ("wall-factor", _) => seconds().map(|factor| self.patience.wall_factor = factor),
            _ => None,
        };
        done.with_context(|| {
            let known = SETTINGS.map(|[name, _, values, _]| format!("{name} ({values})")).join(", ");
            format!(
                "'{setting}': a program has the settings {known}; a comma in its command line must be quoted"
            )
        })
    }

    /// The rules that `spec` names, whether or not there is such a program here.
    pub fn rules_in(spec: &str) -> Option<RulesName> {
        let (_, settings) = parts(spec).ok()?;
        settings
            .into_iter()
            .map(name_and_value)
            .filter(|one| one.0 == "rules")
            .find_map(|one| rules_of(one.1))
    }
}

fn rules_of(name: &str) -> Option<RulesName> {
    RulesName::from_str(name, false).ok()
}

fn name_and_value(setting: &str) -> (&str, &str) {
    let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
    (name.trim(), value.trim())
}

/// The command line in `spec`, and its settings.
fn parts(spec: &str) -> Result<(&str, Vec<&str>)> {
    let inside = spec.split_once('(').and_then(|(_, rest)| rest.trim_end().strip_suffix(')'));
    let inside = inside.with_context(|| format!("'{spec}': a program is written program(COMMAND)"))?;
    let mut parts = split_at_commas(inside).into_iter();
    let command = parts.next().unwrap_or_default().trim();
    ensure!(!command.is_empty(), "'{spec}': a program is written program(COMMAND)");
    Ok((command, parts.map(str::trim).collect()))
}

/// Splits a text at its commas, but for those that are quoted as in a shell.
fn split_at_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quote, mut escaped) = (Vec::new(), 0, None, false);
    for (at, letter) in text.char_indices() {
        match (letter, quote) {
            _ if escaped => escaped = false,
            ('\\', None | Some('"')) => escaped = true,
            ('\'' | '"', None) => quote = Some(letter),
            (_, Some(open)) if letter == open => quote = None,
            (',', None) => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::referee::ResourceLimits;

    #[test]
    fn a_program_is_its_command_line_and_settings() {
        let parsed = |spec: &str| ProgramSpec::parse(spec).expect(spec);
        let plain = parsed("program(sh)");
        assert_eq!((plain.rules, plain.confinement), (None, Confinement::default()));
        let set =
            parsed(" program ( sh -c 'a, b)' \"c\\\", d\" e\\,f , rules=original, user = same ,memory=64) ");
        assert_eq!(set.program.to_string(), "sh -c 'a, b)' \"c\\\", d\" e\\,f");
        assert_eq!((set.rules, set.confinement.own_user), (Some(RulesName::Original), false));
        assert_eq!(set.confinement.resources.memory, 64);
        let all = parsed("program(sh, file-size=2, processes=3, grace=0.5, wall-factor=2)");
        let Confinement { resources, .. } = all.confinement;
        assert_eq!((resources.file_size, resources.processes), (2, 3));
        assert_eq!(all.patience, Patience { grace: 0.5, wall_factor: 2.0 });
        assert_eq!(ProgramSpec::rules_in("program(/nowhere, rules=original)"), Some(RulesName::Original));
        assert!(ProgramSpec::is_one("program(") && ProgramSpec::is_one("program"));
        assert!(!ProgramSpec::is_one("mcts(playout=program(x))"));
    }

    #[test]
    fn what_is_wrong_with_a_program_is_said() {
        for (spec, part) in [
            ("program", "written program(COMMAND)"),
            ("program(", "written program(COMMAND)"),
            ("program()", "written program(COMMAND)"),
            ("program(, rules=original)", "written program(COMMAND)"),
            ("program(sh)x", "written program(COMMAND)"),
            ("program(/no/such/file)", "there is no program /no/such/file"),
            ("program(sh -c 'x)", "'sh -c 'x'"),
            ("program(sh, lenient)", "'lenient': a program has the settings rules ("),
            ("program(sh, rules=none)", "'rules=none'"),
            ("program(sh, user=root)", "'user=root'"),
            ("program(sh, memory=1)", "'memory=1'"),
            ("program(sh, processes=0)", "'processes=0'"),
            ("program(sh, grace=-1)", "'grace=-1'"),
            ("program(lab agent mcts(c=1, fpu=0))", "there is no program lab agent mcts"),
        ] {
            let error = format!("{:#}", ProgramSpec::parse(spec).expect_err(spec));
            assert!(error.contains(part) || spec.contains("fpu"), "{spec}: {error}");
        }
    }

    #[test]
    fn defaults_are_those_of_the_referee() {
        let ResourceLimits { memory, file_size, processes } = ResourceLimits::default();
        let Patience { grace, wall_factor } = Patience::default();
        let numbers = [memory as f64, file_size as f64, processes as f64, grace, wall_factor];
        assert_eq!(SETTINGS.map(|[_, default, ..]| default)[2..], numbers.map(|number| number.to_string()));
    }
}
