extension Validator {
  /// Applies the rule where a condition holds, and accepts as nil what it is not for.
  @_disfavoredOverload
  public func when(
    _ condition: @escaping @Sendable (Input) -> Bool
  ) -> Validator<Input, Output?> {
    Validator<Input, Output?> { input, issues in
      guard condition(input) else { return .some(nil) }
      return run(input, &issues).map(Optional.some)
    }
  }
}

extension Validator where Input == Output {
  /// Applies the rule where a condition holds, and lets other inputs pass as they are.
  public func when(_ condition: @escaping @Sendable (Input) -> Bool) -> Validator {
    Validator { input, issues in condition(input) ? run(input, &issues) : input }
  }

  /// Applies both rules to the same input and gathers the errors of both.
  ///
  /// It is for a field whose errors are shown together, such as a password's. The value is
  /// what the second rule makes of it.
  public func and(_ other: Validator) -> Validator {
    Validator { input, issues in
      let first = run(input, &issues)
      let second = other.run(input, &issues)
      return first == nil ? nil : second
    }
  }

  /// A rule that changes the input and accepts all of it.
  public static func transform(_ change: @escaping @Sendable (Input) -> Input) -> Validator {
    Validator { input, _ in change(input) }
  }
}
