// What examples leave out is in these files: it is compiled with them, and never run.

/// A value of any type, for the names that an example does not declare.
func example<Value>() -> Value { preconditionFailure("Examples are compiled, not run.") }
