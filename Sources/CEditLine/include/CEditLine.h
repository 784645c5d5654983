#ifndef CEDITLINE_H
#define CEDITLINE_H

/// A line editor on a terminal: libedit behind calls that are not variadic.
///
/// Swift cannot call el_set and history, which are variadic. This shim configures
/// the editor for the prompt and has four functions. There is one editor at a time,
/// on one thread.
typedef struct EditLineSession EditLineSession;

/// The completion of a line. Both texts come from malloc, or are null.
typedef struct {
  /// Text to put in at the cursor.
  char *insertion;
  /// Text to show below the line, when there is a choice.
  char *choices;
} EditLineCompletion;

/// Completes a line at Tab; its argument is the line up to the cursor, in UTF-8.
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

/// Adds a line to the editor's own history, for the arrow keys and ^R.
void editLineRemember(EditLineSession *session, const char *line);

/// Restores the terminal and frees the editor.
void editLineClose(EditLineSession *session);

#endif
