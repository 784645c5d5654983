import Reactive

func checkout(_ show: @escaping @Sendable (String) -> Void) {
  let bag = DisposeBag()
  let amount = BehaviorRelay(value: 1)
  let codes = PublishSubject<String>()
  let discounts = codes.map { $0 == "HALF" ? 50 : 0 }.startWith(0)

  Observable.combineLatest(amount, discounts) { $0 * 8 * (100 - $1) / 100 }
    .distinctUntilChanged()
    .subscribe(onNext: { show("total \($0)") })
    .disposed(by: bag)

  amount.accept(3)
  codes.onNext("nonsense")
  codes.onNext("HALF")
}
