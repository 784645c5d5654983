/// No element: a completion, or an error.
public enum CompletableTrait {}
