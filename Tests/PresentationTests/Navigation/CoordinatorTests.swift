import Presentation
import Reactive
import Testing
import TestSupport

private enum Stop: Hashable, Sendable {
  case home
  case list(Int)
  case add
}

/// Notes which children have finished, and when it goes away itself.
private final class Flow: Coordinator<Stop> {
  private(set) var finished: [Flow] = []
  private let freed: Counter

  init(_ router: Router<Stop>, freed: Counter = Counter()) {
    self.freed = freed
    super.init(router: router)
  }

  deinit { freed.increment() }

  override func childDidFinish(_ child: Coordinator<Stop>) {
    if let child = child as? Flow { finished.append(child) }
  }

  func forget() { finished = [] }
}

/// A screen that leads back to its coordinator.
private final class Screen {
  weak var coordinator: Flow?
}

@Suite("Coordinator")
struct CoordinatorTests {
  private let router = Router<Stop>()
  private let freed = Counter()

  private func makeFlow() -> Flow { Flow(router, freed: freed) }

  @Test func startingOpensTheFirstScreen() {
    let flow = makeFlow()
    flow.start(with: .home)
    #expect(router.stack == [.home])
  }

  @Test func aParentHoldsItsChildrenAndTheyHoldItWeakly() {
    let parent = makeFlow()
    parent.start(with: .home)
    parent.startChild(makeFlow(), with: .list(1))
    #expect(parent.childCoordinators.count == 1)
    #expect(parent.childCoordinators.first?.parentCoordinator === parent)
    #expect(router.stack == [.home, .list(1)] && freed.value == 0)
  }

  @Test func aFinishedChildIsFreed() {
    let parent = makeFlow()
    parent.start(with: .home)
    parent.startChild(makeFlow(), with: .add)
    parent.childCoordinators.first?.finish()
    parent.forget()
    #expect(parent.childCoordinators.isEmpty && router.stack == [.home])
    #expect(freed.value == 1)
  }

  @Test func childrenAreRemovedByIdentityAndOthersStay() {
    let parent = makeFlow()
    parent.start(with: .home)
    let children = (1...3).map { number in
      let child = makeFlow()
      parent.startChild(child, with: .list(number))
      return child
    }
    children[1].finish(shouldPop: false)
    #expect(parent.childCoordinators.count == 2)
    #expect(parent.childCoordinators.first === children[0])
    #expect(parent.childCoordinators.last === children[2])
    #expect(parent.finished.count == 1 && parent.finished.first === children[1])
    #expect(children[1].parentCoordinator == nil)
  }

  @Test func finishingClosesTheScreensSinceTheStartUnlessTheUserDid() {
    let parent = makeFlow()
    parent.start(with: .home)
    let child = makeFlow()
    parent.startChild(child, with: .list(1))
    router.push(.add)
    child.finish()
    #expect(router.stack == [.home])
    let second = makeFlow()
    parent.startChild(second, with: .list(2))
    router.pop()
    second.finish(shouldPop: false)
    #expect(router.stack == [.home])
  }

  // A coordinator remembered how many screens were open when it began. When one of its own or one
  // below was closed since, so many were open again with its last screen among them, which stayed.
  @Test func aFlowClosesItsScreensAlsoWhenItsFirstOneIsGone() {
    let parent = makeFlow()
    parent.start(with: .home)
    let child = makeFlow()
    parent.startChild(child, with: .list(1))
    router.push(.add)
    router.push(.list(2))
    router.close { $0 == .list(1) || $0 == .add }
    #expect(router.stack == [.home, .list(2)])
    child.finish()
    #expect(router.stack == [.home])
  }

  @Test func aFlowClosesItsScreensAlsoWhenOneBelowThemIsGone() {
    let parent = makeFlow()
    parent.start(with: .home)
    router.push(.list(1))
    let child = makeFlow()
    parent.startChild(child, with: .list(2))
    router.push(.add)
    router.close { $0 == .list(1) }
    child.finish()
    #expect(router.stack == [.home])
  }

  // The other way round, it closed screens that had taken the place of its own.
  @Test func aFlowClosesNothingThatTookThePlaceOfItsScreens() {
    let parent = makeFlow()
    parent.start(with: .home)
    let child = makeFlow()
    parent.startChild(child, with: .list(1))
    router.pop()
    router.push(.list(2))
    child.finish()
    #expect(router.stack == [.home, .list(2)])
    let second = makeFlow()
    parent.startChild(second, with: .add)
    router.replace(with: [.home, .list(2), .list(3)])
    second.finish()
    #expect(router.stack == [.home, .list(2), .list(3)])
  }

  @Test func aFlowKnowsWhetherItsFirstScreenIsTheInnermost() {
    let flow = makeFlow()
    #expect(!flow.isOnFirstScreen)
    flow.start(with: .home)
    #expect(flow.isOnFirstScreen)
    router.push(.add)
    #expect(!flow.isOnFirstScreen)
    // Screens that a link leaves open are the same ones still.
    router.replace(with: [.home, .list(1)])
    router.pop()
    #expect(flow.isOnFirstScreen)
    flow.finish()
    #expect(!flow.isOnFirstScreen && router.stack == [])
  }

  @Test func finishingAParentFinishesItsChildren() {
    let root = makeFlow()
    root.start(with: .home)
    let parent = makeFlow()
    root.startChild(parent, with: .list(1))
    parent.startChild(makeFlow(), with: .list(2))
    parent.startChild(makeFlow(), with: .add)
    parent.finish()
    parent.forget()
    #expect(parent.childCoordinators.isEmpty && root.childCoordinators.isEmpty)
    #expect(freed.value == 2 && router.stack == [.home])
  }

  @Test func finishingTwiceIsFinishingOnce() {
    let parent = makeFlow()
    parent.start(with: .home)
    let child = makeFlow()
    parent.startChild(child, with: .add)
    child.finish()
    router.push(.list(1))
    child.finish()
    #expect(parent.finished.count == 1 && router.stack == [.home, .list(1)])
  }

  @Test func aParentThatIsDroppedTakesItsChildrenAlong() {
    var parent: Flow? = makeFlow()
    parent?.start(with: .home)
    parent?.startChild(makeFlow(), with: .add)
    parent = nil
    #expect(freed.value == 2)
  }

  @Test func aScreenDoesNotKeepItsCoordinator() {
    let screen = Screen()
    let parent = makeFlow()
    parent.startChild(makeFlow(), with: .add)
    screen.coordinator = parent.childCoordinators.first as? Flow
    #expect(screen.coordinator != nil)
    screen.coordinator?.finish()
    parent.forget()
    #expect(screen.coordinator == nil)
  }

  @Test func aFinishedCoordinatorMayBeStartedAgain() {
    let parent = makeFlow()
    let child = makeFlow()
    parent.startChild(child, with: .add)
    child.finish()
    parent.startChild(child, with: .list(1))
    #expect(parent.childCoordinators.count == 1 && router.stack == [.list(1)])
  }

  @Test func aChildOfTwoParentsIsRefused() async {
    await #expect(processExitsWith: .failure) {
      let router = Router<Int>()
      let child = Coordinator(router: router)
      let first = Coordinator(router: router)
      first.startChild(child, with: 1)
      Coordinator(router: router).startChild(child, with: 2)
    }
  }

  @Test func aChildOfItselfIsRefused() async {
    await #expect(processExitsWith: .failure) {
      let coordinator = Coordinator(router: Router<Int>())
      coordinator.startChild(coordinator, with: 1)
    }
  }
}
