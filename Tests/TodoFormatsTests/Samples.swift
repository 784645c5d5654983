import Foundation
import TodoFormats

/// Files as the programs write them, small and with all that matters in them.
enum Samples {
  static let all: [(format: TaskFormat, text: String)] = [
    (.todoTxt, todoTxt), (.taskwarrior, taskwarrior), (.vtodo, vtodo), (.todoist, todoist),
    (.ticktick, ticktick), (.markdown, markdown), (.csv, csv), (.json, json), (.ndjson, ndjson),
  ]

  static let todoTxt = """
    (A) 2026-01-01 Call Mom +Family @phone due:2026-01-05
    (B) Schedule 치과 @전화 +건강 t:2026-01-03 rec:+1w
    x 2026-01-04 2026-01-01 Pay rent +Home pri:A
    x (A) 2026-01-04 2026-01-02 Water plants
    Plan +Trip with @email me@host.org at 10:30 see https://host.org/a:b est:30m id:abc
    (D) 우유 사기 😀 star:1

    """

  static let taskwarrior = """
    [
    {"id":1,"description":"Buy milk","due":"20261224T230000Z","entry":"20261201T080000Z",\
    "modified":"20261202T080000Z","priority":"H","project":"home.kitchen","status":"pending",\
    "tags":["shop","important"],"uuid":"00000000-0000-4000-8000-000000000001","urgency":12.50,\
    "estimate":12345678901234567890,"annotations":[{"entry":"20261201T090000Z",\
    "description":"two litres"},{"entry":"20261202T090000Z","description":"한글\\nzwei"}]},
    {"id":0,"description":"Pay rent","end":"20261203T080000Z","entry":"20261101T080000Z",\
    "status":"completed","uuid":"00000000-0000-4000-8000-000000000002","recur":"monthly",\
    "parent":"00000000-0000-4000-8000-000000000009","imask":3,\
    "depends":["00000000-0000-4000-8000-000000000001"]}
    ]

    """

  static let vtodo = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//Example//Tasks//EN
    X-WR-CALNAME:집안일
    BEGIN:VTIMEZONE
    TZID:Europe/Berlin
    BEGIN:STANDARD
    DTSTART:19701025T030000
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    END:STANDARD
    END:VTIMEZONE
    BEGIN:VTODO
    UID:one@example.org
    DTSTAMP:20261201T080000Z
    CREATED:20261201T080000Z
    SUMMARY;LANGUAGE=en:Buy milk\\, eggs\\; bread
    DESCRIPTION:first line\\nsecond \\\\ line
    CATEGORIES:shop,집
    DUE;TZID=Europe/Berlin:20261224T180000
    DTSTART;VALUE=DATE:20261220
    PRIORITY:3
    STATUS:IN-PROCESS
    PERCENT-COMPLETE:40
    RRULE:FREQ=WEEKLY;BYDAY=MO
    RELATED-TO:parent@example.org
    X-APPLE-SORT-ORDER:42
    ATTACH;FMTTYPE=text/plain:https://example.org/a
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT15M
    END:VALARM
    END:VTODO
    BEGIN:VTODO
    UID:two@example.org
    SUMMARY:Paid
    COMPLETED:20261202T100000Z
    END:VTODO
    END:VCALENDAR

    """

  static let todoist = """
    \u{FEFF}TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE
    task,Buy milk @shop,two litres,1,1,Me (1),,2026-12-24,en,Europe/Berlin
    note,"first comment
    in two lines",,,,Me (1),,,,
    task,Eggs,,3,2,Me (1),,in 5 days,en,
    ,,,,,,,,,
    section,Later,,,,,,,,
    task,* Read me,,4,1,Me (1),,every monday,en,

    """

  static let ticktick = """
    "Date: 2026-12-01+0000"
    "Version: 7.1"
    "Status: \n0 Normal
    1 Completed
    2 Archived"
    "Folder Name","List Name","Title","Kind","Tags","Content","Is Check list","Start Date",\
    "Due Date","Reminder","Repeat","Priority","Status","Created Time","Completed Time","Order",\
    "Timezone","Is All Day","Is Floating","Column Name","Column Order","View Mode","taskId",\
    "parentId"
    "","집","Buy milk","TEXT","shop, food","two
    litres","N","","2018-12-11T23:00:00+0000","-PT15M","RRULE:FREQ=DAILY;INTERVAL=1","5","0",\
    "2018-12-01T08:00:00+0000","","-1099511627776","Europe/Berlin","true","false",,,"list","1",""
    "Work","Office","Report","CHECKLIST","","▫one▪two","Y","","2018-12-12T09:30:00+0000","","",\
    "3","2","2018-12-01T08:00:00+0000","2018-12-02T08:00:00+0000","7","Asia/Seoul","false",\
    "false",,,"list","2","1"

    """

  static let markdown = """
    # Shopping

    - [ ] Buy milk #food ⏫ 📅 2026-12-24
        two litres
      - [x] Look into the fridge ✅ 2026-12-02
    - [ ] Water plants 🔁 every week 🆔 abc ⛔ def

    Some text.

    ## 집안일

    1. [-] Old #일 plan ❌ 2026-12-03

    """

  static let csv = """
    Task;Deadline;Priority;Labels;Colour
    "Buy milk; eggs";2026-12-24;high;shop, food;red
    빨래;2026.12.25;보통;;

    """

  static let json = """
    [
    {"id":"a","number":1,"title":"Buy milk","isDone":false,"isImportant":true,"priority":"high",\
    "group":"집","due":"2026-12-24","tags":["shop"],"note":"two\\nlitres",\
    "createdAt":"2026-12-01T08:00:00Z","doneAt":null}
    ]

    """

  static let ndjson = """
    {"id":null,"title":"Buy milk","due":"2026-12-24T14:30","repeat":{"kind":"rec","text":"1w"}}
    {"title":"Pay","isDone":true,"doneAt":"2026-12-01T08:00:00Z"}

    """
}

/// Fixed options: a zone that is not Greenwich, and a time.
func options(
  _ zone: String = "Asia/Seoul", fileName: String? = nil, columns: ColumnMap? = nil
) -> FormatOptions {
  FormatOptions(
    timeZone: TimeZone(identifier: zone) ?? .gmt, fileName: fileName, columns: columns,
    now: Date(timeIntervalSince1970: 1_764_576_000))
}

func read(
  _ text: String, _ format: TaskFormat, _ options: FormatOptions = options()
) -> TaskFile {
  format.read(Data(text.utf8), options)
}

func write(
  _ records: [TaskRecord], _ format: TaskFormat, _ options: FormatOptions = options()
) -> TaskOutput {
  format.write(records, options)
}

/// What is written of what was read.
func rewritten(
  _ text: String, _ format: TaskFormat, _ options: FormatOptions = options()
) -> String {
  write(read(text, format, options).records, format, options).text
}

extension Date {
  /// A moment as `2026-06-01T12:00:00Z`.
  init(utc text: String) throws { try self.init(text, strategy: .iso8601) }
}
