//! Network files.
//!
//! ```text
//! "halma network 3\n", or the other kind's first line
//! u32          length of the provenance, and the provenance in UTF-8
//! u32 …        the network's sizes
//! …            the fields of the network's struct, one after the other
//! u64          FNV-1a hash of all preceding bytes
//! ```
//!
//! Numbers are little-endian. Files are treated as untrusted input. The files of the built-in networks are parsed at
//! compile time, so their weights are read-only data of the program and cost nothing at start-up.

use super::{BUILT_IN, NetworkError, NetworkKind};
use crate::support::files::open_regular;
use crate::support::fnv::Fnv;
use crate::support::spec::SpecError;
use bytemuck::must_cast;
use std::fs::File;
use std::io::Read;
use std::path::Path;

#[cfg(target_endian = "big")]
compile_error!("network files are little-endian, and this crate copies their weights without conversion");

/// The maximum size of a file, in bytes. A network takes less than half of it; the rest is for the provenance.
const MAX_BYTES: u64 = 1 << 21;

/// A network: a plain struct of integer arrays.
pub trait Network: Clone + PartialEq + Sized + 'static {
    /// The network's purpose.
    const KIND: NetworkKind;
    /// The sizes in the file's header, with their names.
    const SIZES: &'static [(&'static str, usize)];
    /// The bytes of the built-in network's file.
    const BUILT_IN_FILE: &'static [u8];

    /// The network with all weights 0.
    fn zeros() -> Box<Self>;

    /// The bytes of the fields, in the order of the file.
    fn fields(&mut self) -> Vec<&mut [u8]>;

    /// Checks that the network's arithmetic cannot overflow in any position.
    ///
    /// # Errors
    /// A weight, or a sum of weights, is too large.
    fn check(&self) -> Result<(), NetworkError>;
}

/// A network and its provenance: the contents of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkFile<N> {
    /// How the network was made, for human readers; the engine ignores it.
    pub provenance: String,
    /// The network.
    pub network: Box<N>,
}

impl<N: Network> NetworkFile<N> {
    /// The built-in network.
    pub fn built_in() -> NetworkFile<N> {
        NetworkFile::from_bytes(N::BUILT_IN_FILE).expect("a test reads it")
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// The file can't be read, or is not a network that this program can use.
    pub fn read(path: &Path) -> Result<NetworkFile<N>, NetworkError> {
        NetworkFile::from_bytes(&read_bytes(path)?)
    }

    /// Parses the bytes of a file.
    ///
    /// # Errors
    /// The bytes are not a network that this program can use.
    pub fn from_bytes(bytes: &[u8]) -> Result<NetworkFile<N>, NetworkError> {
        let mut reader = Reader::new(N::KIND, bytes)?;
        let len = reader.u32("provenance")? as usize;
        let provenance = reader.text("provenance", len)?;
        for &(what, expected) in N::SIZES {
            let found = reader.u32("sizes")?;
            if found as usize != expected {
                return Err(NetworkError::Unusable(format!(
                    "a network of another shape: it has {found} {what}, but this program needs {expected}"
                )));
            }
        }
        let mut network = N::zeros();
        for field in network.fields() {
            field.copy_from_slice(reader.take("weights", field.len())?);
        }
        reader.finish()?;
        network.check()?;
        Ok(NetworkFile { provenance, network })
    }

    /// The bytes of the file. [`from_bytes`](Self::from_bytes) parses them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = N::KIND.first_line().as_bytes().to_vec();
        bytes.extend((self.provenance.len() as u32).to_le_bytes());
        bytes.extend(self.provenance.as_bytes());
        bytes.extend(N::SIZES.iter().flat_map(|&(_, size)| (size as u32).to_le_bytes()));
        for field in self.network.clone().fields() {
            bytes.extend(&*field);
        }
        bytes.extend(Fnv::of(&bytes).to_le_bytes());
        bytes
    }
}

/// Reads the file at `path`, up to just over the maximum size, which is enough to see that a file is too large.
///
/// # Errors
/// The file can't be read, or is not a regular file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, NetworkError> {
    let mut bytes = Vec::new();
    let read = open_regular(File::options().read(true), path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| NetworkError::Unusable(format!("can't be read: {error}")))?;
    Ok(bytes)
}

/// Loads the network that the parameter `file` names; `None` for the built-in one.
pub(super) fn load<N: Network>(file: &str) -> Result<Option<Box<N>>, SpecError> {
    if file == BUILT_IN {
        return Ok(None);
    }
    match NetworkFile::read(Path::new(file)) {
        Ok(NetworkFile { network, .. }) => Ok(Some(network)),
        Err(error) => Err(SpecError::new(format!("file={file}: {error}"))),
    }
}

/// Parses a file's bytes.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Checks the first line and starts after it.
    fn new(kind: NetworkKind, bytes: &'a [u8]) -> Result<Reader<'a>, NetworkError> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(NetworkError::Unusable(format!("not a network: larger than {MAX_BYTES} bytes")));
        }
        let first_line = kind.first_line().as_bytes();
        if bytes.starts_with(first_line) {
            return Ok(Reader { bytes, at: first_line.len() });
        }
        let expected = format!("expected the first line '{}'", kind.first_line().trim_end());
        Err(match NetworkKind::of(bytes) {
            Some(found) if found != kind => NetworkError::Unusable(format!(
                "the wrong kind of network: expected one for {kind}, found one for {found}"
            )),
            _ if first_line.starts_with(bytes) && !bytes.is_empty() => {
                Reader { bytes, at: 0 }.truncated("first line")
            }
            Some(_) => NetworkError::Unusable(format!(
                "a network of another version: {expected}; train it again, or use the program it was made for"
            )),
            None => NetworkError::Unusable(format!("not a network: {expected}")),
        })
    }

    /// The error that the file ends within `part`.
    fn truncated(&self, part: &str) -> NetworkError {
        let len = self.bytes.len();
        NetworkError::Unusable(format!("a truncated network: it ends at byte {len}, inside the {part}"))
    }

    /// The next `len` bytes, which belong to `part` of the file.
    fn take(&mut self, part: &str, len: usize) -> Result<&'a [u8], NetworkError> {
        let rest = &self.bytes[self.at..];
        let taken = rest.get(..len).ok_or_else(|| self.truncated(part))?;
        self.at += len;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, part: &str) -> Result<[u8; N], NetworkError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(part, N)?);
        Ok(array)
    }

    fn u32(&mut self, part: &str) -> Result<u32, NetworkError> {
        self.array(part).map(u32::from_le_bytes)
    }

    fn text(&mut self, part: &str, len: usize) -> Result<String, NetworkError> {
        let start = self.at;
        match std::str::from_utf8(self.take(part, len)?) {
            Ok(text) => Ok(text.to_string()),
            Err(error) => Err(NetworkError::Unusable(format!(
                "a damaged network: its provenance is not UTF-8 at byte {}",
                start + error.valid_up_to()
            ))),
        }
    }

    /// Checks the checksum and that the file ends after it.
    fn finish(mut self) -> Result<(), NetworkError> {
        let expected = Fnv::of(&self.bytes[..self.at]);
        let found = u64::from_le_bytes(self.array("checksum")?);
        if found != expected {
            return Err(NetworkError::Unusable(format!(
                "a damaged network: its checksum is {found:016x}, but its bytes give {expected:016x}"
            )));
        }
        match self.bytes.len() - self.at {
            0 => Ok(()),
            extra => Err(NetworkError::Unusable(format!("not a network: {extra} bytes follow its checksum"))),
        }
    }
}

/// Parses a built-in network's file at compile time. A file of another kind, version or shape is a compile error.
/// Weights are copied as whole arrays: copying them one by one would add seconds to the build.
pub(super) struct BuiltInReader {
    rest: &'static [u8],
}

impl BuiltInReader {
    /// Checks the header of the built-in `N` and starts at its weights.
    pub const fn new<N: Network>() -> BuiltInReader {
        let (file, first_line) = (N::BUILT_IN_FILE, N::KIND.first_line().as_bytes());
        let mut at = 0;
        while at < first_line.len() {
            assert!(file[at] == first_line[at], "another kind or version of network");
            at += 1;
        }
        let mut reader = BuiltInReader { rest: file };
        reader.skip(first_line.len());
        let [provenance] = reader.i32s();
        reader.skip(provenance as usize);
        let mut number = 0;
        while number < N::SIZES.len() {
            let [size] = reader.i32s();
            assert!(size as usize == N::SIZES[number].1, "a network of another shape");
            number += 1;
        }
        reader
    }

    /// Checks that only the checksum is left, which a test verifies.
    pub const fn finish(self) {
        assert!(self.rest.len() == size_of::<u64>(), "expected only the checksum after the weights");
    }

    /// The next `COUNT` rows of `WIDTH` numbers.
    pub const fn rows<const WIDTH: usize, const COUNT: usize>(&mut self) -> [[i16; WIDTH]; COUNT] {
        let rows = self.rest.as_chunks::<2>().0.as_chunks::<WIDTH>().0;
        let rows: [_; COUNT] = *rows.first_chunk().expect("the file is truncated");
        self.skip(2 * WIDTH * COUNT);
        must_cast(rows)
    }

    /// The next `WIDTH` numbers.
    pub const fn row<const WIDTH: usize>(&mut self) -> [i16; WIDTH] {
        let [row] = self.rows();
        row
    }

    /// The next `COUNT` numbers.
    pub const fn i32s<const COUNT: usize>(&mut self) -> [i32; COUNT] {
        let numbers: [_; COUNT] = *self.rest.as_chunks::<4>().0.first_chunk().expect("the file is truncated");
        self.skip(4 * COUNT);
        must_cast(numbers)
    }

    const fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.split_at(bytes).1;
    }
}
