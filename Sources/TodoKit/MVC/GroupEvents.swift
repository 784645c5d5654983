/// The events of the group screens: each says by its type what the user wants.
///
/// Views emit them; a ``GroupController`` listens. Those that are requests are answered
/// before `emit` returns, with what was committed or with the error, which is shown as
/// well. Things are named by their ids, never by where they stand.
public enum GroupEvents {}
