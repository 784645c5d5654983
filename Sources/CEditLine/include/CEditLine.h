#ifndef CEDITLINE_H
#define CEDITLINE_H

/// A line editor on a terminal: libedit behind calls that are not variadic.
///
/// libedit is configured by el_set and history, whose argument lists vary, so
/// Swift cannot call them. This shim sets the editor up once, the way the prompt
/// needs it, and lends four calls. One editor lives at a time, on one thread.
typedef struct EditLineSession EditLineSession;

/// What a pressed Tab amounts to. Both texts come from malloc, or are null.
typedef struct {
  /// Text to put in at the cursor.
  char *insertion;
  /// Text to show below the line, when there is a choice.
  char *choices;
} EditLineCompletion;

/// Answers a Tab; it is handed the line up to the cursor, in UTF-8.
typedef EditLineCompletion (*EditLineCompleter)(const char *textBeforeCursor);

/// How a read ended.
typedef enum {
  /// A line was entered.
  EditLineEntered,
  /// ^C was pressed on an empty line.
  EditLineInterruptedEmpty,
  /// ^C was pressed with something typed, which is dropped.
  EditLineInterrupted,
  /// ^D was pressed on an empty line, or the terminal is gone.
  EditLineEnded,
} EditLineOutcome;

/// Starts an editor that reads standard input and draws on standard error.
///
/// Call setlocale for a UTF-8 LC_CTYPE first: libedit measures and decodes by it.
/// Returns null when there is no terminal to edit on.
EditLineSession *editLineOpen(const char *program, EditLineCompleter completer);

/// Reads one line; on EditLineEntered the line, without its newline, is the caller's to free.
EditLineOutcome editLineRead(EditLineSession *session, const char *prompt, char **line);

/// Puts a line into the editor's own memory, for the arrow keys and ^R.
void editLineRemember(EditLineSession *session, const char *line);

/// Gives the terminal back as it was.
void editLineClose(EditLineSession *session);

#endif
