//! The policies that spec strings can name.

use super::{ForwardJump, Options, Policy, Static, Uniform};

/// Something to be done with a policy whose type is known only by name.
pub trait PolicyVisitor {
    /// What comes of it.
    type Output;

    /// Does it with `policy`.
    fn visit<P: Policy>(self, policy: P) -> Self::Output;
}

/// Names the registered policies, once: each gets its own compiled search, without dynamic calls.
macro_rules! policies {
    ($($policy:ty),* $(,)?) => {
        /// Name and description of every registered policy.
        pub const fn names() -> &'static [(&'static str, &'static str)] {
            &[$((<$policy>::NAME, <$policy>::ABOUT)),*]
        }

        /// Makes the policy called `name` as `options` say and hands it to `visitor`; `None` if
        /// there is no such policy.
        pub fn with_policy<V: PolicyVisitor>(name: &str, options: Options, visitor: V) -> Option<V::Output> {
            $(if name == <$policy>::NAME {
                return Some(visitor.visit(<$policy>::new(options)));
            })*
            None
        }
    };
}

policies! {
    ForwardJump,
    Static,
    Uniform,
}
