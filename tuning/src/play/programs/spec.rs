//! A program named like an agent: `program(COMMAND)`, or with settings `program(COMMAND, rules=original,
//! memory=512)`.

use super::program::Program;
use super::sandbox::Sandbox;
use anyhow::{Context, Result, ensure};
use halma::rules::Rules;

/// The settings: name, default, values and meaning. `lab referee` has options for the same, `--same-user` for `user`.
pub const SETTINGS: [[&str; 4]; 7] = [
    ["rules", "the game's", "addendum or original", "the rules its plays are checked against"],
    ["user", "own", "own or same", "as root: whether it runs as a user of its own or as root"],
    ["memory", "4096", "MiB", "memory of the program and everything it starts"],
    ["file-size", "256", "MiB", "size of each file"],
    ["processes", "1000", "a number", "processes and threads at the same time"],
    ["grace", "10", "seconds", "killed after this much CPU time beyond its limit"],
    ["wall-factor", "4", "a number", "killed once its real time is this many times limit and grace together"],
];

/// A parsed `program(COMMAND)`.
///
/// The command line is split and quoted as in a shell, but no shell runs. A part with a comma must be quoted:
/// `program(lab agent 'mcts(c=1, fpu=0)')`.
#[derive(Clone, Debug)]
pub struct ProgramSpec {
    /// The command line.
    pub program: Program,
    /// The rules its plays are checked against, if they differ from the game's.
    pub rules: Option<Rules>,
    /// How it is confined.
    pub sandbox: Sandbox,
}

impl ProgramSpec {
    /// The program that `spec` names.
    ///
    /// # Errors
    /// `spec` is malformed, or the program is missing.
    pub fn parse(spec: &str) -> Result<ProgramSpec> {
        let (command, settings) = parts(spec)?;
        let (program, sandbox) = (Program::parse(command)?, Sandbox::default());
        let mut parsed = ProgramSpec { program, rules: None, sandbox };
        settings.into_iter().try_for_each(|setting| parsed.set(setting))?;
        Ok(parsed)
    }

    fn set(&mut self, setting: &str) -> Result<()> {
        let (name, value) = name_and_value(setting);
        let Sandbox { resources, same_user, grace, wall_factor, .. } = &mut self.sandbox;
        let number = |min: u64| value.parse().ok().filter(|number| (min..1 << 40).contains(number));
        let positive = || value.parse().ok().filter(|&number: &f64| number > 0.0 && number.is_finite());
        let done = match (name, value) {
            ("rules", _) => value.parse().ok().map(|rules| self.rules = Some(rules)),
            ("user", "own" | "same") => {
                *same_user = value == "same";
                Some(())
            }
            ("memory", _) => number(16).map(|memory| resources.memory = memory),
            ("file-size", _) => number(1).map(|size| resources.file_size = size),
            ("processes", _) => number(1).map(|processes| resources.processes = processes),
            ("grace", _) => positive().map(|seconds| *grace = seconds),
            ("wall-factor", _) => positive().map(|factor| *wall_factor = factor),
            _ => None,
        };
        done.with_context(|| {
            let known = SETTINGS.map(|[name, _, values, _]| format!("{name} ({values})")).join(", ");
            format!(
                "'{setting}': expected one of the settings {known}; a comma in the command line must be quoted"
            )
        })
    }
}

/// Whether `spec` is meant to name a program.
pub fn is_program(spec: &str) -> bool {
    spec.split('(').next().is_some_and(|name| name.trim() == "program")
}

/// The rules that the plays of the entrant `spec` are checked against, if they differ from the game's. A program need
/// not exist on this machine.
pub fn own_rules(spec: &str) -> Option<Rules> {
    let (_, settings) = parts(spec).ok().filter(|_| is_program(spec))?;
    let mut settings = settings.into_iter().map(name_and_value);
    settings.find_map(|(name, value)| if name == "rules" { value.parse().ok() } else { None })
}

fn name_and_value(setting: &str) -> (&str, &str) {
    let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
    (name.trim(), value.trim())
}

/// Splits `spec` into its command line and its settings.
fn parts(spec: &str) -> Result<(&str, Vec<&str>)> {
    let inside = spec.split_once('(').and_then(|(_, rest)| rest.trim_end().strip_suffix(')'));
    let malformed = || format!("'{spec}': expected program(COMMAND)");
    let inside = inside.with_context(malformed)?;
    let mut parts = split_at_commas(inside).into_iter();
    let command = parts.next().unwrap_or_default().trim();
    ensure!(!command.is_empty(), malformed());
    Ok((command, parts.map(str::trim).collect()))
}

/// Splits `text` at the commas that are not quoted as in a shell.
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
    use crate::play::programs::sandbox::ResourceLimits;

    #[test]
    fn a_spec_has_a_command_line_and_settings() {
        let parsed = |spec: &str| ProgramSpec::parse(spec).expect(spec);
        let plain = parsed("program(sh)");
        assert_eq!((plain.rules, plain.sandbox), (None, Sandbox::default()));
        let set =
            parsed(" program ( sh -c 'a, b)' \"c\\\", d\" e\\,f , rules=original, user = same ,memory=64) ");
        assert_eq!(set.program.to_string(), "sh -c 'a, b)' \"c\\\", d\" e\\,f");
        assert_eq!((set.rules, set.sandbox.same_user), (Some(Rules::Original), true));
        assert_eq!(set.sandbox.resources.memory, 64);
        let all = parsed("program(sh, file-size=2, processes=3, grace=0.5, wall-factor=2)").sandbox;
        let resources = ResourceLimits { file_size: 2, processes: 3, ..ResourceLimits::default() };
        assert_eq!(all, Sandbox { resources, grace: 0.5, wall_factor: 2.0, ..Sandbox::default() });
        assert_eq!(own_rules("program(/nowhere, rules=original)"), Some(Rules::Original));
        assert!(is_program("program(") && is_program("program"));
        assert!(!is_program("mcts(playout=program(x))"));
    }

    #[test]
    fn malformed_specs_are_refused_with_the_reason() {
        for (spec, part) in [
            ("program", "expected program(COMMAND)"),
            ("program(", "expected program(COMMAND)"),
            ("program()", "expected program(COMMAND)"),
            ("program(, rules=original)", "expected program(COMMAND)"),
            ("program(sh)x", "expected program(COMMAND)"),
            ("program(/no/such/file)", "there is no program /no/such/file"),
            ("program(sh -c 'x)", "'sh -c 'x'"),
            ("program(sh, lenient)", "'lenient': expected one of the settings rules (addendum or original)"),
            ("program(sh, rules=none)", "'rules=none'"),
            ("program(sh, user=root)", "'user=root'"),
            ("program(sh, memory=1)", "'memory=1'"),
            ("program(sh, processes=0)", "'processes=0'"),
            ("program(sh, grace=-1)", "'grace=-1'"),
            ("program(sh -c mcts(c=1, fpu=0))", "'fpu=0)'"),
        ] {
            let error = format!("{:#}", ProgramSpec::parse(spec).expect_err(spec));
            assert!(error.contains(part), "{spec}: {error}");
        }
    }

    #[test]
    fn the_defaults_are_those_of_the_sandbox() {
        let Sandbox { resources, grace, wall_factor, .. } = Sandbox::default();
        let ResourceLimits { memory, file_size, processes } = resources;
        let numbers = [memory as f64, file_size as f64, processes as f64, grace, wall_factor];
        assert_eq!(SETTINGS.map(|[_, default, ..]| default)[2..], numbers.map(|number| number.to_string()));
    }
}
