/// One element, or an error.
public enum SingleTrait {}
