extension Validator {
  /// Goes on with a second rule where the first accepts: stops at the first error.
  public func then<Next>(_ next: Validator<Output, Next>) -> Validator<Input, Next> {
    Validator<Input, Next> { input, issues in
      guard let output = run(input, &issues) else { return nil }
      return next.run(output, &issues)
    }
  }

  /// Applies every rule to the same input and gathers all their errors.
  ///
  /// - Returns: A rule that gives the tuple of all values, or, when one of the
  ///   rules refuses, the issues of all of them in the order given here.
  public static func all<each Part>(
    _ rules: repeat Validator<Input, each Part>
  ) -> Validator<Input, Output> where Output == (repeat each Part) {
    Validator { input, issues in
      // Every rule runs before the first missing value is looked for.
      let parts = (repeat (each rules).run(input, &issues))
      do throws(Refusal) {
        return (repeat try accepted(each parts))
      } catch {
        return nil
      }
    }
  }

  /// Turns the accepted value into another.
  public func map<Other>(
    _ transform: @escaping @Sendable (Output) -> Other
  ) -> Validator<Input, Other> {
    Validator<Input, Other> { input, issues in
      run(input, &issues).map(transform)
    }
  }

  /// Says where the input stands: every issue's path begins with the given one.
  public func at(_ path: FieldPath) -> Validator {
    Validator { input, issues in
      let known = issues.count
      let output = run(input, &issues)
      for index in known..<issues.count {
        issues[index] = issues[index].prefixed(by: path)
      }
      return output
    }
  }

  /// Applies the rule to one field of a larger input.
  ///
  /// - Parameters:
  ///   - field: The field to read.
  ///   - path: Where that field stands, as messages and forms name it.
  public func pullback<Root>(
    _ field: any KeyPath<Root, Input> & Sendable, at path: FieldPath
  ) -> Validator<Root, Output> {
    let placed = at(path)
    return Validator<Root, Output> { root, issues in
      placed.run(root[keyPath: field], &issues)
    }
  }

  /// Applies the rule where there is an input, and accepts that there is none.
  public func optional() -> Validator<Input?, Output?> {
    Validator<Input?, Output?> { input, issues in
      guard let input else { return .some(nil) }
      return run(input, &issues).map(Optional.some)
    }
  }

  /// Applies the rule to every element of a list; issues carry the element's position.
  ///
  /// - Complexity: O(n) applications for n elements; none is skipped.
  public func each() -> Validator<[Input], [Output]> {
    Validator<[Input], [Output]> { inputs, issues in
      var outputs: [Output] = []
      outputs.reserveCapacity(inputs.count)
      for (index, input) in inputs.enumerated() {
        if let output = at([.index(index)]).run(input, &issues) { outputs.append(output) }
      }
      return outputs.count == inputs.count ? outputs : nil
    }
  }
}

/// Says that one of several rules refused; its issues are noted already.
private struct Refusal: Error {}

private func accepted<Value>(_ value: Value?) throws(Refusal) -> Value {
  guard let value else { throw Refusal() }
  return value
}
