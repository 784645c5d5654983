// State transitions of a form. Each returns the effects to run: the checks to begin and to stop,
// and whether the draft is to be handled.
extension FormState {
  /// The effects of a change.
  struct Consequence: Sendable {
    /// The fields to ask about; those of an earlier value are forgotten.
    var asks: [Int] = []
    /// The fields about which nothing is to be asked any more.
    var stops: [Int] = []
    /// Whether these checks begin without waiting for further changes.
    var isImmediate = false
    /// Whether the draft is to be handled now.
    var submits = false
    /// The issues of a handled draft that the form cannot show, because it was reset since.
    var unshown: [ValidationIssue] = []
  }

  mutating func edit(_ change: (inout Draft) -> Void) -> Consequence {
    let old = self
    change(&draft)
    if draft == old.draft { return Consequence() }
    let changed = definition.fields.map { !$0.isEqual(old.draft, draft) }
    validate(changed)
    attached = []
    // The submitted draft differs from the entered one.
    if phase == .waiting { phase = .editing }
    var consequence = Consequence()
    for index in statuses.indices {
      if changed[index] { noteChange(at: index) }
      let isRelevant = changed[index] || !old.isAccepted(at: index)
      ask(index, if: isRelevant, &consequence)
    }
    return consequence
  }

  mutating func blur(_ index: Int) -> Consequence {
    statuses[index].isTouched = true
    let policy = definition.policy
    if submitCount > 0 {
      if policy.revalidation == .onBlur { freeze(index) }
    } else if policy.mode == .onBlur {
      freeze(index)
    } else if policy.mode == .onTouched || policy.mode == .all {
      statuses[index].display = .live
    }
    return Consequence()
  }

  mutating func submit() -> Consequence {
    var consequence = Consequence(isImmediate: true)
    if isSubmitting { return consequence }
    submitCount += 1
    attached = []
    for index in statuses.indices {
      statuses[index].isTouched = true
      statuses[index].attached = []
    }
    let isAccepted = isValid
    for index in statuses.indices where isAccepted && statuses[index].check == .unasked {
      ask(index, if: true, &consequence)
    }
    for index in statuses.indices {
      if definition.policy.revalidation == .onChange {
        statuses[index].display = .live
      } else {
        freeze(index)
      }
    }
    if isAccepted, isValidating {
      phase = .waiting
    } else if isAccepted {
      consequence.submits = beginHandling()
    }
    return consequence
  }

  mutating func finishCheck(
    _ index: Int, _ asked: Draft, _ issues: [ValidationIssue]
  ) -> Consequence {
    var consequence = Consequence()
    // An answer about another value than the one that is entered says nothing.
    guard statuses[index].check == .pending, definition.fields[index].isEqual(asked, draft) else {
      return consequence
    }
    statuses[index].check = .finished(issues)
    if case .frozen(_, isCurrent: true) = statuses[index].display { freeze(index) }
    if phase == .waiting, !isValidating {
      phase = .editing
      if isValid { consequence.submits = beginHandling() }
    }
    return consequence
  }

  /// Notes that handling ended, and attaches its issues to fields that still have their value.
  mutating func finish(with issues: [ValidationIssue]) -> Consequence {
    let handled = handled
    self.handled = nil
    phase = .editing
    guard let handled else { return Consequence(unshown: issues) }
    return attach(
      issues.filter { issue in
        guard let index = definition.field(of: issue) else { return draft == handled }
        return definition.fields[index].isEqual(draft, handled)
      })
  }

  mutating func attach(_ issues: [ValidationIssue]) -> Consequence {
    for issue in issues {
      if let index = definition.field(of: issue) {
        statuses[index].attached.append(issue)
      } else {
        attached.append(issue)
      }
    }
    return Consequence()
  }

  mutating func reset(to draft: Draft?) -> Consequence {
    let isHandled = phase == .submitting
    self = FormState(draft ?? initial, definition: definition)
    // The running submit continues, and prevents a second one.
    if isHandled { phase = .submitting }
    return Consequence(stops: Array(statuses.indices))
  }

  private mutating func beginHandling() -> Bool {
    phase = .submitting
    handled = draft
    return true
  }

  private func isAccepted(at index: Int) -> Bool {
    !(ruleIssues + crossFieldIssues.flatMap(\.self)).contains {
      $0.severity == .error && definition.field(of: $0) == index
    }
  }

  private mutating func validate(_ changed: [Bool]) {
    ruleIssues = definition.rule(draft)
    for (index, rule) in definition.crossFieldRules.enumerated()
    where definition.readFields[index].contains(where: { changed[$0] }) {
      crossFieldIssues[index] = rule.issues(draft)
    }
  }

  private mutating func noteChange(at index: Int) {
    statuses[index].check = .unasked
    statuses[index].attached = []
    if case .frozen(let issues, _) = statuses[index].display {
      statuses[index].display = .frozen(issues, isCurrent: false)
    }
    let mode = definition.policy.mode
    if submitCount == 0, mode == .onChange || mode == .all { statuses[index].display = .live }
  }

  /// Begins the check of a field that nothing else objects to, and stops that of another.
  private mutating func ask(_ index: Int, if isRelevant: Bool, _ consequence: inout Consequence) {
    guard definition.fields[index].check != nil else { return }
    if !isAccepted(at: index) {
      statuses[index].check = .unasked
      consequence.stops.append(index)
    } else if isRelevant {
      statuses[index].check = .pending
      consequence.asks.append(index)
    }
  }

  private mutating func freeze(_ index: Int) {
    statuses[index].display = .frozen(issues(at: index), isCurrent: true)
  }
}
