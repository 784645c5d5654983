/// One element, or none, or an error.
public enum MaybeTrait {}
