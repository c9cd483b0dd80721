//! Networks as bytes: what the files of all kinds have in common.
//!
//! ```text
//! "halma network 3\n", or another kind's first line
//! u32          bytes of the provenance, and the provenance, UTF-8
//! u32 …        the sizes of the kind
//! …            the weights of the kind
//! u64          FNV-1a of all bytes before
//! ```
//!
//! All numbers are little-endian. What is read is checked as any input is. The built-in networks are read when the
//! crate is compiled, so that their weights lie ready in the program; a test checks them.

use super::{FEATURES, UnitRow};
use crate::rules::PIECES;
use bytemuck::must_cast;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The most bytes that a file may have: the weights take less than half, the rest is for the provenance.
const MOST_BYTES: u64 = 1 << 21;

/// What a network is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An [`evaluation`](crate::network::value).
    Evaluation,
    /// A [`prior`](crate::network::policy).
    Prior,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 2] = [Kind::Evaluation, Kind::Prior];

    /// How its files begin.
    pub const fn first_line(self) -> &'static str {
        match self {
            Kind::Evaluation => "halma network 3\n",
            Kind::Prior => "halma prior network 1\n",
        }
    }

    /// The kind of the network that `bytes` begin as, whatever its version, if they do.
    pub fn of(bytes: &[u8]) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| bytes.starts_with(kind.name().as_bytes()))
    }

    /// The first line without the version.
    fn name(self) -> &'static str {
        self.first_line().trim_end_matches(|letter: char| letter != ' ')
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Evaluation => "an evaluation",
            Kind::Prior => "a prior",
        })
    }
}

/// Why bytes are no network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The file can't be read.
    Unreadable {
        /// What the system says.
        reason: String,
    },
    /// There are more of them than a network's file may have.
    TooLarge,
    /// They do not begin as a network of this kind does, nor as one of another kind.
    Foreign {
        /// The kind.
        expected: Kind,
    },
    /// They are a network of this kind, but of another version than this program's.
    OtherVersion {
        /// The kind.
        kind: Kind,
    },
    /// They are a network of another kind.
    OtherKind {
        /// What it is.
        found: Kind,
        /// What was asked for.
        expected: Kind,
    },
    /// They end too early.
    Truncated {
        /// What is missing or cut.
        part: &'static str,
        /// How many bytes there are.
        len: usize,
    },
    /// They go on after the checksum.
    TooLong {
        /// How many bytes are too many.
        extra: usize,
    },
    /// The network has another shape than this program's.
    WrongSize {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: u32,
        /// How many there should be.
        expected: usize,
    },
    /// The provenance is no text.
    BadText {
        /// The first byte of the file that is not UTF-8.
        at: usize,
    },
    /// The checksum is wrong: bytes have changed.
    Corrupt {
        /// The checksum in the file.
        found: u64,
        /// That of the bytes before it.
        expected: u64,
    },
    /// A hidden unit's sum may overflow.
    LargeRows {
        /// The unit.
        unit: usize,
        /// The largest sum that its weights allow, without its sign.
        most: i64,
    },
    /// The absolute values of a bucket's output weights add up to too much, or its bias is out of bounds.
    LargeOutput {
        /// What is too large.
        what: &'static str,
        /// The bucket.
        bucket: usize,
        /// What it is, without its sign.
        found: u32,
        /// What it may be.
        most: u32,
    },
    /// A weight of a square or a kind of plays is out of bounds.
    LargePlay {
        /// What the weight is of.
        what: &'static str,
        /// Its number.
        number: usize,
        /// The weight.
        found: i16,
        /// What its absolute value may be.
        most: i16,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Unreadable { reason } => write!(f, "can't be read: {reason}"),
            NetworkError::TooLarge => write!(f, "not a network: it has more than {MOST_BYTES} bytes"),
            NetworkError::Foreign { expected } => {
                write!(f, "not a network: it should begin with '{}'", expected.first_line().trim_end())
            }
            NetworkError::OtherVersion { kind } => write!(
                f,
                "a network of another version: it should begin with '{}'; train it anew, or use the program that it \
                 was made for",
                kind.first_line().trim_end()
            ),
            NetworkError::OtherKind { found, expected } => {
                write!(f, "a network of another kind: it is for {found}, not for {expected}")
            }
            NetworkError::Truncated { part, len } => {
                write!(f, "a network cut short: it ends at byte {len}, within the {part}")
            }
            NetworkError::TooLong { extra } => {
                write!(f, "not a network: bytes follow its checksum, {extra} in all")
            }
            NetworkError::WrongSize { what, found, expected } => {
                write!(f, "a network of another shape: it has {found} {what}, this program needs {expected}")
            }
            NetworkError::BadText { at } => {
                write!(f, "a damaged network: its provenance is no UTF-8 at byte {at}")
            }
            NetworkError::Corrupt { found, expected } => {
                write!(f, "a damaged network: its checksum is {found:016x}, its bytes have {expected:016x}")
            }
            NetworkError::LargeRows { unit, most } => {
                write!(
                    f,
                    "weights too large: hidden unit {unit} may add up to {most}, more than {}",
                    i16::MAX
                )
            }
            NetworkError::LargeOutput { what, bucket, found, most } => {
                write!(f, "weights too large: {what} of bucket {bucket} is {found}, more than {most}")
            }
            NetworkError::LargePlay { what, number, found, most } => {
                write!(
                    f,
                    "weights too large: number {number} of the {what} has {found}, more than {most} from zero"
                )
            }
        }
    }
}

impl std::error::Error for NetworkError {}

/// The bytes of the file at `path`; of one that is too large for a network, no more than show it.
///
/// # Errors
/// It can't be read, or is no plain file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, NetworkError> {
    let unreadable = |error: io::Error| NetworkError::Unreadable { reason: error.to_string() };
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(NetworkError::Unreadable { reason: "it is not a plain file".to_string() });
    }
    let mut bytes = Vec::new();
    let mut file = File::open(path).map_err(unreadable)?.take(MOST_BYTES + 1);
    file.read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

/// A group of inputs, of which at most `on` are on at once.
pub(crate) struct InputGroup<'a, const HIDDEN: usize> {
    /// A row of weights for each.
    pub rows: &'a [UnitRow<HIDDEN>],
    /// How many of them are on at once, at the most.
    pub on: usize,
}

impl<'a, const HIDDEN: usize> InputGroup<'a, HIDDEN> {
    /// Those of [`feature`](super::feature): the own pieces on squares, and the opponent's.
    pub fn of_pieces(rows: &'a [UnitRow<HIDDEN>]) -> [Self; 2] {
        let (own, others) = rows.split_at(FEATURES / 2);
        [own, others].map(|rows| InputGroup { rows, on: PIECES as usize })
    }

    /// Quick bounds on what they take from each unit, as a number below 0, and add to it: never too small, most often
    /// close.
    fn bounds(&self) -> [[i64; 2]; HIDDEN] {
        let mut bounds = [[0i16; 2]; HIDDEN];
        for row in self.rows {
            for ([least, most], &weight) in bounds.iter_mut().zip(row) {
                (*least, *most) = (weight.min(*least), weight.max(*most));
            }
        }
        bounds.map(|pair| pair.map(|weight| self.on as i64 * i64::from(weight)))
    }

    /// The most that they take from `unit`, as a number below 0, and the most that they add.
    fn range(&self, unit: usize) -> [i64; 2] {
        let mut weights: Vec<i64> = self.rows.iter().map(|row| row[unit].into()).collect();
        weights.sort_unstable();
        let least = weights.iter().take(self.on).map(|&weight| weight.min(0)).sum();
        let most = weights.iter().rev().take(self.on).map(|&weight| weight.max(0)).sum();
        [least, most]
    }
}

/// Checks that no hidden unit's sum can overflow, whatever the position of at most [`PIECES`] pieces a side.
///
/// # Errors
/// The unit whose sum can.
pub(crate) fn check_sums<const HIDDEN: usize>(
    inputs: &[InputGroup<'_, HIDDEN>],
    biases: &[i16; HIDDEN],
) -> Result<(), NetworkError> {
    let farthest = |unit: usize, ranges: &mut dyn Iterator<Item = [i64; 2]>| {
        let bias = i64::from(biases[unit]);
        let [least, most] = ranges.fold([bias; 2], |[least, most], [less, more]| [least + less, most + more]);
        most.max(-least)
    };
    let bounds: Vec<[[i64; 2]; HIDDEN]> = inputs.iter().map(InputGroup::bounds).collect();
    for unit in 0..HIDDEN {
        // Sorting takes long, and the quick bounds clear nearly all units.
        if farthest(unit, &mut bounds.iter().map(|of| of[unit])) <= i64::from(i16::MAX) {
            continue;
        }
        let most = farthest(unit, &mut inputs.iter().map(|of| of.range(unit)));
        if most > i64::from(i16::MAX) {
            return Err(NetworkError::LargeRows { unit, most });
        }
    }
    Ok(())
}

/// Checks that there are as many of `what` as this program needs.
///
/// # Errors
/// There are not.
pub(crate) fn check_size(what: &'static str, found: usize, expected: usize) -> Result<(), NetworkError> {
    if found == expected {
        return Ok(());
    }
    Err(NetworkError::WrongSize { what, found: u32::try_from(found).unwrap_or(u32::MAX), expected })
}

/// Puts a file's bytes together.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    /// A file of this kind, up to the weights.
    pub fn new(kind: Kind, provenance: &str, sizes: &[(&'static str, usize)]) -> Writer {
        let mut bytes = kind.first_line().as_bytes().to_vec();
        bytes.extend((provenance.len() as u32).to_le_bytes());
        bytes.extend(provenance.as_bytes());
        for &(_, size) in sizes {
            bytes.extend((size as u32).to_le_bytes());
        }
        Writer(bytes)
    }

    pub fn i16s<'a>(&mut self, numbers: impl IntoIterator<Item = &'a i16>) {
        self.0.extend(numbers.into_iter().flat_map(|number| number.to_le_bytes()));
    }

    pub fn rows<const HIDDEN: usize>(&mut self, rows: &[UnitRow<HIDDEN>]) {
        rows.iter().for_each(|row| self.i16s(row));
    }

    pub fn i32s<'a>(&mut self, numbers: impl IntoIterator<Item = &'a i32>) {
        self.0.extend(numbers.into_iter().flat_map(|number| number.to_le_bytes()));
    }

    /// The whole file.
    pub fn finish(mut self) -> Vec<u8> {
        self.0.extend(fnv(&self.0).to_le_bytes());
        self.0
    }
}

/// Takes a file's bytes apart.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Begins with a file of this kind and these sizes. Returns its provenance too; the weights are next.
    pub fn new(
        kind: Kind,
        bytes: &'a [u8],
        sizes: &[(&'static str, usize)],
    ) -> Result<(String, Reader<'a>), NetworkError> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err(NetworkError::TooLarge);
        }
        let first_line = kind.first_line().as_bytes();
        if !bytes.starts_with(first_line) {
            return Err(match Kind::of(bytes) {
                Some(found) if found != kind => NetworkError::OtherKind { found, expected: kind },
                _ if first_line.starts_with(bytes) && !bytes.is_empty() => {
                    NetworkError::Truncated { part: "first line", len: bytes.len() }
                }
                Some(kind) => NetworkError::OtherVersion { kind },
                None => NetworkError::Foreign { expected: kind },
            });
        }
        let mut reader = Reader { bytes, at: first_line.len() };
        let len = reader.u32("provenance")? as usize;
        let text_at = reader.at;
        let text = reader.take("provenance", len)?;
        let provenance = std::str::from_utf8(text)
            .map_err(|error| NetworkError::BadText { at: text_at + error.valid_up_to() })?;
        for &(what, expected) in sizes {
            check_size(what, reader.u32("sizes")? as usize, expected)?;
        }
        Ok((provenance.to_string(), reader))
    }

    /// Checks that the weights end here, and the checksum.
    pub fn finish(mut self) -> Result<(), NetworkError> {
        let expected = fnv(&self.bytes[..self.at]);
        let found = u64::from_le_bytes(self.array("checksum")?);
        if found != expected {
            return Err(NetworkError::Corrupt { found, expected });
        }
        match self.bytes.len() - self.at {
            0 => Ok(()),
            extra => Err(NetworkError::TooLong { extra }),
        }
    }

    /// The next numbers, which belong to `part`, into `numbers`.
    pub fn i16s<'n>(
        &mut self,
        part: &'static str,
        numbers: impl IntoIterator<Item = &'n mut i16>,
    ) -> Result<(), NetworkError> {
        numbers.into_iter().try_for_each(|number| {
            *number = i16::from_le_bytes(self.array(part)?);
            Ok(())
        })
    }

    /// The next `count` rows, which belong to `part`.
    pub fn rows<const HIDDEN: usize>(
        &mut self,
        part: &'static str,
        count: usize,
    ) -> Result<Vec<UnitRow<HIDDEN>>, NetworkError> {
        let mut rows = vec![UnitRow::ZEROS; count];
        rows.iter_mut().try_for_each(|row| self.i16s(part, row.iter_mut()))?;
        Ok(rows)
    }

    pub fn i32s<'n>(
        &mut self,
        part: &'static str,
        numbers: impl IntoIterator<Item = &'n mut i32>,
    ) -> Result<(), NetworkError> {
        numbers.into_iter().try_for_each(|number| {
            *number = i32::from_le_bytes(self.array(part)?);
            Ok(())
        })
    }

    /// The next `len` bytes, which belong to `part`.
    fn take(&mut self, part: &'static str, len: usize) -> Result<&'a [u8], NetworkError> {
        let truncated = NetworkError::Truncated { part, len: self.bytes.len() };
        let end = self.at.checked_add(len).filter(|&end| end <= self.bytes.len()).ok_or(truncated)?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, part: &'static str) -> Result<[u8; N], NetworkError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(part, N)?);
        Ok(array)
    }

    fn u32(&mut self, part: &'static str) -> Result<u32, NetworkError> {
        self.array(part).map(u32::from_le_bytes)
    }
}

/// Takes the weights out of a built-in network's file when the crate is compiled, in whole arrays: number by number the
/// compiler would take seconds. A file of another kind, version or shape stops it.
pub(crate) struct BuiltInReader {
    rest: &'static [u8],
}

impl BuiltInReader {
    /// Begins with a file of this kind and these sizes. The weights are next.
    pub const fn new(kind: Kind, bytes: &'static [u8], sizes: &[(&str, usize)]) -> BuiltInReader {
        let first_line = kind.first_line().as_bytes();
        let mut at = 0;
        while at < first_line.len() {
            assert!(bytes[at] == first_line[at], "the file is of another kind or version");
            at += 1;
        }
        let mut reader = BuiltInReader { rest: bytes };
        reader.skip(first_line.len());
        let [provenance] = reader.i32s();
        reader.skip(provenance as usize);
        let mut number = 0;
        while number < sizes.len() {
            let [size] = reader.i32s();
            assert!(size as usize == sizes[number].1, "the file is of another shape");
            number += 1;
        }
        reader
    }

    /// Checks that the weights end here. A test checks the checksum.
    pub const fn finish(self) {
        assert!(self.rest.len() == size_of::<u64>(), "only the checksum follows the weights");
    }

    /// The next rows.
    pub const fn rows<const HIDDEN: usize, const COUNT: usize>(&mut self) -> [UnitRow<HIDDEN>; COUNT] {
        let mut rows = [UnitRow::ZEROS; COUNT];
        let mut at = 0;
        while at < COUNT {
            rows[at] = UnitRow(self.i16s());
            at += 1;
        }
        rows
    }

    /// The next numbers.
    pub const fn i16s<const COUNT: usize>(&mut self) -> [i16; COUNT] {
        let mut numbers: [i16; COUNT] = must_cast(self.chunks::<2, COUNT>());
        if cfg!(target_endian = "big") {
            let mut at = 0;
            while at < COUNT {
                numbers[at] = numbers[at].swap_bytes();
                at += 1;
            }
        }
        numbers
    }

    /// The next numbers, one by one: slow to compile, so only for a few.
    pub const fn i32s<const COUNT: usize>(&mut self) -> [i32; COUNT] {
        let chunks = self.chunks::<4, COUNT>();
        let mut numbers = [0; COUNT];
        let mut at = 0;
        while at < COUNT {
            numbers[at] = i32::from_le_bytes(chunks[at]);
            at += 1;
        }
        numbers
    }

    /// The next bytes, so many for each number.
    const fn chunks<const BYTES: usize, const COUNT: usize>(&mut self) -> [[u8; BYTES]; COUNT] {
        let chunks = *self.rest.as_chunks().0.first_chunk().expect("the file goes on");
        self.skip(BYTES * COUNT);
        chunks
    }

    const fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.split_at(bytes).1;
    }
}

/// The hash FNV-1a.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
