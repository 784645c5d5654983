import Testing
import TodoFormats
