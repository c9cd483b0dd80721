//! The 64-bit FNV-1a hash (Fowler, Noll, Vo), for checksums in files.

/// An FNV-1a hash in progress.
///
/// ```
/// use halma::support::fnv::Fnv;
///
/// let mut hash = Fnv::default();
/// hash.add(b"foo");
/// hash.add(b"bar");
/// assert_eq!(hash.value(), 0x8594_4171_f739_67e8);
/// assert_eq!(hash.value(), Fnv::of(b"foobar"));
/// assert_eq!(Fnv::of(b""), 0xcbf2_9ce4_8422_2325);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> u64 {
        let mut hash = Fnv::default();
        hash.add(bytes);
        hash.value()
    }

    /// Hashes more bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        self.0 = bytes.iter().fold(self.0, step);
    }

    /// The hash of all bytes so far.
    pub fn value(self) -> u64 {
        self.0
    }
}
