#include "CEditLine.h"

#include <errno.h>
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { rememberedLinesMax = 1000 };

struct EditLineSession {
  EditLine *editor;
  History *history;
  EditLineCompleter completer;
  const char *prompt;
  int wasInterrupted;
  int hadText;
};

static EditLineSession *sessionOf(EditLine *editor) {
  void *data = NULL;
  el_get(editor, EL_CLIENTDATA, &data);
  return data;
}

static char *currentPrompt(EditLine *editor) {
  return (char *)sessionOf(editor)->prompt;
}

// ^C is a key here, not a signal: a signal that meets the editor half-way through
// a sequence of bytes would lose input, and a key can be answered in order.
static unsigned char cancelLine(EditLine *editor, int key) {
  (void)key;
  EditLineSession *session = sessionOf(editor);
  const LineInfo *line = el_line(editor);
  session->wasInterrupted = 1;
  session->hadText = line->lastchar > line->buffer;
  return CC_EOF;
}

static unsigned char completeVerb(EditLine *editor, int key) {
  (void)key;
  EditLineSession *session = sessionOf(editor);
  const LineInfo *line = el_line(editor);
  char *text = strndup(line->buffer, (size_t)(line->cursor - line->buffer));
  if (text == NULL) return CC_REFRESH_BEEP;
  EditLineCompletion completion = session->completer(text);
  free(text);
  unsigned char answer = CC_REFRESH_BEEP;
  if (completion.insertion != NULL) {
    if (el_insertstr(editor, completion.insertion) == 0) answer = CC_REFRESH;
    free(completion.insertion);
  } else if (completion.choices != NULL) {
    fprintf(stderr, "\n%s\n", completion.choices);
    answer = CC_REDISPLAY;
  }
  free(completion.choices);
  return answer;
}

static void bindKeys(EditLine *editor) {
  el_set(editor, EL_ADDFN, "todo-cancel", "Drops the line", cancelLine);
  el_set(editor, EL_ADDFN, "todo-complete", "Completes the verb", completeVerb);
  el_set(editor, EL_BIND, "^C", "todo-cancel", NULL);
  el_set(editor, EL_BIND, "^I", "todo-complete", NULL);
  el_set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
}

static int startHistory(EditLineSession *session) {
  session->history = history_init();
  if (session->history == NULL) return -1;
  HistEvent event;
  history(session->history, &event, H_SETSIZE, rememberedLinesMax);
  history(session->history, &event, H_SETUNIQUE, 1);
  return el_set(session->editor, EL_HIST, history, session->history);
}

EditLineSession *editLineOpen(const char *program, EditLineCompleter completer) {
  EditLineSession *session = calloc(1, sizeof *session);
  if (session == NULL) return NULL;
  session->completer = completer;
  session->prompt = "";
  session->editor = el_init(program, stdin, stderr, stderr);
  if (session->editor == NULL) {
    free(session);
    return NULL;
  }
  el_set(session->editor, EL_CLIENTDATA, session);
  el_set(session->editor, EL_PROMPT, currentPrompt);
  el_set(session->editor, EL_SIGNAL, 1);
  el_set(session->editor, EL_EDITOR, "emacs");
  // The user's own ~/.editrc first, so that a `bind -v` there is not the last word on ^C.
  el_source(session->editor, NULL);
  bindKeys(session->editor);
  if (startHistory(session) != 0) {
    editLineClose(session);
    return NULL;
  }
  return session;
}

// While a line is edited no character of the terminal means "interrupt", so that ^C
// arrives as a key; ^Z still stops the process. The editor takes the characters over from
// the terminal at the start of each line (its own `setty` does not hold them).
static const char *readWithoutInterrupts(EditLineSession *session, int *count) {
  struct termios saved;
  int isSaved = tcgetattr(STDIN_FILENO, &saved) == 0;
  if (isSaved) {
    struct termios editing = saved;
    editing.c_cc[VINTR] = _POSIX_VDISABLE;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &editing);
  }
  // Before the prompt is shown: a ^D typed behind a prompt that the editor does not listen to yet
  // would be the terminal's own, and get lost when the editor takes over.
  el_set(session->editor, EL_PREP_TERM, 1);
  const char *text = el_gets(session->editor, count);
  if (isSaved) tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
  return text;
}

EditLineOutcome editLineRead(EditLineSession *session, const char *prompt, char **line) {
  *line = NULL;
  session->prompt = prompt;
  session->wasInterrupted = 0;
  int count = 0;
  const char *text = readWithoutInterrupts(session, &count);
  session->prompt = "";
  if (session->wasInterrupted) {
    fputs("^C\n", stderr);
    return session->hadText ? EditLineInterrupted : EditLineInterruptedEmpty;
  }
  if (text == NULL || count <= 0) {
    // The cursor still stands behind the prompt.
    fputs("\n", stderr);
    return EditLineEnded;
  }
  size_t length = strlen(text);
  if (length > 0 && text[length - 1] == '\n') length -= 1;
  *line = strndup(text, length);
  return *line == NULL ? EditLineEnded : EditLineEntered;
}

void editLineRemember(EditLineSession *session, const char *line) {
  HistEvent event;
  history(session->history, &event, H_ENTER, line);
}

void editLineClose(EditLineSession *session) {
  el_end(session->editor);
  if (session->history != NULL) history_end(session->history);
  free(session);
}
