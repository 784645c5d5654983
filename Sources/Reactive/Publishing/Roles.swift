/// What publishes the changes of a property: the type of `$property`.
public typealias Publisher<Property> = Publishable<Property>

/// What may subscribe to a property: any object.
public typealias Subscriber = AnyObject

/// What may listen to events: any object.
public typealias Listener = AnyObject

/// What may emit events: anything, for emitting asks nothing of the one who does it.
public typealias Emitter = Any
