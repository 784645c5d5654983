// What each thing that happens to a form makes of its state. What is to be done besides is
// returned: the checks to begin and to stop, and whether the draft is to be handled.
extension FormState {
  /// What follows from a change.
  struct Consequence {
    /// The fields to ask about; those of an earlier value are forgotten.
    var asks: [Int] = []
    /// The fields about which nothing is to be asked any more.
    var stops: [Int] = []
    /// Whether the draft is to be handled now.
    var submits = false
  }

  mutating func edit(_ change: (inout Draft) -> Void) -> Consequence {
    let old = self
    change(&draft)
    if draft == old.draft { return Consequence() }
    let changed = plan.fields.map { !$0.isEqual(old.draft, draft) }
    validate(changed)
    attached = []
    // What was submitted is not what is entered any more.
    if phase == .waiting { phase = .editing }
    var consequence = Consequence()
    for index in records.indices {
      if changed[index] { noteChange(at: index) }
      let isRelevant = changed[index] || !old.isAccepted(at: index)
      ask(index, if: isRelevant, &consequence)
    }
    return consequence
  }

  mutating func blur(_ index: Int) {
    records[index].isTouched = true
    let policy = plan.policy
    if submitCount > 0 {
      if policy.revalidation == .onBlur { freeze(index) }
    } else if policy.mode == .onBlur {
      freeze(index)
    } else if policy.mode == .onTouched || policy.mode == .all {
      records[index].display = .live
    }
  }

  mutating func submit() -> Consequence {
    var consequence = Consequence()
    if isSubmitting { return consequence }
    submitCount += 1
    attached = []
    for index in records.indices {
      records[index].isTouched = true
      records[index].attached = []
    }
    let isAccepted = isValid
    for index in records.indices where isAccepted && records[index].check == .unasked {
      ask(index, if: true, &consequence)
    }
    for index in records.indices {
      if plan.policy.revalidation == .onChange {
        records[index].display = .live
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

  mutating func settle(_ index: Int, _ asked: Draft, _ issues: [ValidationIssue]) -> Consequence {
    var consequence = Consequence()
    // An answer about another value than the one that is entered says nothing.
    guard records[index].check == .pending, plan.fields[index].isEqual(asked, draft) else {
      return consequence
    }
    records[index].check = .settled(issues)
    if case .frozen(_, isCurrent: true) = records[index].display { freeze(index) }
    if phase == .waiting, !isValidating {
      phase = .editing
      if isValid { consequence.submits = beginHandling() }
    }
    return consequence
  }

  /// Notes that handling ended, and shows what it found wrong with what is entered still.
  ///
  /// - Returns: What it found wrong with a form that was reset since, and so cannot be shown there.
  mutating func finish(with issues: [ValidationIssue]) -> [ValidationIssue] {
    let handled = handled
    self.handled = nil
    phase = .editing
    guard let handled else { return issues }
    attach(
      issues.filter { issue in
        guard let index = plan.field(of: issue) else { return draft == handled }
        return plan.fields[index].isEqual(draft, handled)
      })
    return []
  }

  mutating func attach(_ issues: [ValidationIssue]) {
    for issue in issues {
      if let index = plan.field(of: issue) {
        records[index].attached.append(issue)
      } else {
        attached.append(issue)
      }
    }
  }

  mutating func reset(to draft: Draft?) -> Consequence {
    let isHandled = phase == .submitting
    self = FormState(draft ?? initial, plan: plan)
    // What is being handled goes on, and keeps a second submit out.
    if isHandled { phase = .submitting }
    return Consequence(stops: Array(records.indices))
  }
}

extension FormState {
  private mutating func beginHandling() -> Bool {
    phase = .submitting
    handled = draft
    return true
  }

  private func isAccepted(at index: Int) -> Bool {
    !(ruleIssues + relationIssues.flatMap(\.self)).contains {
      $0.severity == .error && plan.field(of: $0) == index
    }
  }

  private mutating func validate(_ changed: [Bool]) {
    ruleIssues = plan.rule(draft)
    for (index, relation) in plan.relations.enumerated()
    where plan.readFields[index].contains(where: { changed[$0] }) {
      relationIssues[index] = relation.issues(draft)
    }
  }

  private mutating func noteChange(at index: Int) {
    records[index].check = .unasked
    records[index].attached = []
    if case .frozen(let issues, _) = records[index].display {
      records[index].display = .frozen(issues, isCurrent: false)
    }
    let mode = plan.policy.mode
    if submitCount == 0, mode == .onChange || mode == .all { records[index].display = .live }
  }

  /// Begins the check of a field that nothing else objects to, and stops that of another.
  private mutating func ask(_ index: Int, if isRelevant: Bool, _ consequence: inout Consequence) {
    guard plan.fields[index].check != nil else { return }
    if !isAccepted(at: index) {
      records[index].check = .unasked
      consequence.stops.append(index)
    } else if isRelevant {
      records[index].check = .pending
      consequence.asks.append(index)
    }
  }

  private mutating func freeze(_ index: Int) {
    records[index].display = .frozen(issues(at: index), isCurrent: true)
  }
}
