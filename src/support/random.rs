//! Random numbers that are the same on every machine.

use rand::{Rng, SeedableRng};

/// The random number generator of playouts and searches: xoshiro256++ (Blackman, Vigna 2018).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(rand_xoshiro::Xoshiro256PlusPlus);

impl Random {
    /// The generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A random number below `end`, which must not be 0. It takes one multiplication; probabilities are off by less than
    /// `end` in 2³², too little to matter in playouts.
    #[inline]
    pub fn below(&mut self, end: usize) -> usize {
        (((self.bits() >> 32) * end as u64) >> 32) as usize
    }

    /// `true` with probability `chance`. A chance of 0 or 1 draws no random number.
    #[inline]
    pub fn happens(&mut self, chance: f32) -> bool {
        chance >= 1.0 || (chance > 0.0 && self.unit() < chance)
    }

    /// A random number in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u32 << 24) as f32
    }
}

/// Mixes the bits of `number`: the output function of SplitMix64, a bijection (Steele, Lea, Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014).
#[inline]
pub const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(SPLIT_MIX);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The increment of SplitMix64: 2⁶⁴ divided by the golden ratio.
pub const SPLIT_MIX: u64 = 0x9e37_79b9_7f4a_7c15;
