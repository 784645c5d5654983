// Waits on the main thread for what needs the main queue. Both modes.
import Dispatch
import Reactive
import ReactiveTesting

let background = ConcurrentDispatchQueueScheduler(qos: .userInitiated)

@Sendable func told(_ body: () throws -> String) -> String {
  do { return try body() } catch { return "\(error)" }
}

func run() {
  let numbers = Observable.of(1, 2, 3)
  let main = numbers.observe(on: MainScheduler.asyncInstance)
  print("main queue", told { "\(try main.toBlocking(timeout: 20).toArray())" })
  print("without a timeout", told { "\(try main.toBlocking().toArray())" })
  let there = numbers.observe(on: background).observe(on: MainScheduler.instance)
  print("there and back", told { "\(try there.toBlocking().toArray())" })
  let late = numbers.delay(.milliseconds(20), scheduler: MainScheduler.instance)
  print("a timer", told { "\(try late.toBlocking().last() ?? 0)" })
  let driver = numbers.observe(on: background).asDriver(onErrorJustReturn: 0)
  print("a driver", told { "\(try driver.toBlocking().toArray())" })
  let actor = Single<Int>.create { await MainActor.run { 7 } }
  print("the main actor", told { "\(try actor.toBlocking().single())" })
  let elsewhere = numbers.observe(on: background)
  print("elsewhere", told { "\(try elsewhere.toBlocking().toArray())" })
  print("no end", told { "\(try Observable<Int>.never().toBlocking(timeout: 0.01).toArray())" })
  // Work of the main queue keeps it from all other work, and can wait for what needs none of it.
  let within = Observable<String>.create { observer in
    DispatchQueue.main.async {
      observer.onNext(told { "\(try elsewhere.toBlocking(timeout: 20).toArray())" })
      observer.onNext(told { "\(try main.toBlocking(timeout: 0.05).toArray())" })
      observer.onCompleted()
    }
    return Disposables.create()
  }
  print("within", told { "\(try within.toBlocking(timeout: 20).toArray())" })
}

run()
