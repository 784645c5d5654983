import Foundation
import Hummingbird
import NIOCore
import PageServer
import Presentation
import TodoKit

/// The form of a group, new or changed, and the pictures of groups.
///
/// What the form says is an event on the bus of a ``GroupScreen``.
struct GroupHandlers: Sendable {
  /// The maximum size of a picture in bytes.
  static let pictureBytesMax = 5 << 20

  let site: Site

  private typealias Page = FormPage<GroupFields, TodoGroup>

  /// The form of a new group.
  func newForm(_ visit: Visit) -> Response {
    answer(newPage(.ofNewGroup(), back: visit.query("back"), visit), visit)
  }

  private func newPage(_ fields: GroupFields, back: String?, _ visit: Visit) -> Page {
    Page("/groups/new", visit.text.newGroup, back: back, fields)
  }

  /// Makes what the form of a new group says.
  func add(_ visit: Visit) async throws -> Response {
    let form = try await visit.form(upTo: Self.pictureBytesMax + visit.context.maxUploadSize)
    let fields = GroupFields(form)
    var page = newPage(fields, back: form["back"], visit)
    do {
      let image = try await image(fields.picture, form, of: nil)
      let draft = try fields.draft(image: image ?? nil)
      let group = try await site.write { [site] in try GroupScreen(site).create(draft) }
      if visit.isScript { return visit.succeed(form, .added, named: group.name) }
      return visit.go(to: "/lists/\(PageRenderer.name(of: group.id))?said=added")
    } catch {
      page.error = message(for: error, visit)
      return answer(page, visit, status(of: error))
    }
  }

  /// The form of a group that exists.
  func form(_ visit: Visit) throws -> Response {
    do {
      guard let id = visit.id("id"), let group = try site.repository.group(id) else {
        return visit.noSuchPage()
      }
      return answer(page(group, back: visit.query("back"), visit), visit)
    } catch let error as TodoError {
      return visit.refuse(error, back: visit.query("back"))
    }
  }

  private func page(_ group: TodoGroup, back: String?, _ visit: Visit) -> Page {
    Page(
      "/groups/\(PageRenderer.name(of: group.id))/edit", visit.text.editGroup, back: back,
      of: group, GroupFields(group))
  }

  /// Changes what differs between the form and what it began with.
  func save(_ visit: Visit) async throws -> Response {
    let form = try await visit.form(upTo: Self.pictureBytesMax + visit.context.maxUploadSize)
    guard let id = visit.id("id"), let group = try site.repository.group(id) else {
      return visit.noSuchPage()
    }
    let (fields, was) = (GroupFields(form), GroupFields(form, prefix: "was-"))
    var page = page(group, back: form["back"], visit)
    page.fields = fields
    do {
      var patch = try fields.patch(from: was)
      patch.image = try await image(fields.picture, form, of: id)
      let shown = was.shown(of: group)
      let result = try await site.write { [site, patch] in
        try GroupScreen(site).update(shown, patch)
      }
      return visit.succeed(form, .changed, result, named: result.groups.first?.name)
    } catch TodoError.changedSince {
      page.error = visit.text.conflicts
      // As it is now: a picture may have taken long to come.
      let now = GroupFields(try site.repository.group(id) ?? group)
      page.was = now
      for (name, value) in [(visit.text.groupName, \GroupFields.name), (visit.text.color, \.color)]
      {
        let (was, now, wanted) = (was[keyPath: value], now[keyPath: value], fields[keyPath: value])
        if now == was || wanted == was || wanted == now { continue }
        page.conflicts.append(visit.text.conflict(name, now: now, wanted: wanted))
      }
      page.fields = fields.rebased(from: was, onto: now)
      return answer(page, visit, .conflict)
    } catch {
      page.was = was
      page.error = message(for: error, visit)
      return answer(page, visit, status(of: error))
    }
  }

  /// The picture that a form asks for; nil where the group keeps its own.
  private func image(
    _ picture: GroupFields.Picture, _ form: FormFields, of group: UUID?
  ) async throws -> GroupImage?? {
    switch picture {
    case .kept: return nil
    case .none: return .some(nil)
    case .drawn: return .some(PlaceholderImages().image(for: group ?? UUID()))
    case .random: return .some(try await GroupScreen(site).fetchImage())
    case .file:
      guard let bytes = form.files["file"] else {
        throw ValidationIssue(.required, at: .image)
      }
      guard let kind = ImageKind(of: bytes) else { throw GroupFields.Problem.notAPicture }
      return .some(GroupImage(bytes: bytes, mimeType: kind.rawValue))
    }
  }

  private func message(for error: any Error, _ visit: Visit) -> String {
    switch error as? GroupFields.Problem {
    case .notAColor: visit.text.notAColor
    case .notAPicture: visit.text.notAPicture
    case nil: visit.message(for: error)
    }
  }

  private func status(of error: any Error) -> HTTPResponse.Status {
    error is GroupFields.Problem ? .unprocessableContent : Visit.status(of: error)
  }

  /// The bytes of a group's picture.
  func picture(_ visit: Visit) throws -> Response {
    guard let id = visit.id("id"), let image = try site.repository.group(id)?.image,
      let kind = ImageKind(rawValue: image.mimeType)
    else { return visit.noSuchPage() }
    var response = Response(
      status: .ok, headers: [.contentType: kind.rawValue],
      body: .init(byteBuffer: ByteBuffer(bytes: image.bytes)))
    // A drawing that is opened as a page of its own runs nothing.
    response.headers[named: "Content-Security-Policy"] = "default-src 'none'; sandbox"
    // Another picture has another address.
    response.headers[named: "Cache-Control"] = "private, max-age=31536000, immutable"
    return response
  }

  private func answer(
    _ page: Page, _ visit: Visit, _ status: HTTPResponse.Status = .ok
  ) -> Response {
    let text = visit.text
    let pictures = GroupFields.Picture.allCases.filter { picture in
      page.subject != nil || picture != .kept && picture != .none
    }
    var values = page.values(text)
    values.merge([
      "nameLabel": text.groupName, "colorLabel": text.color, "pictureLabel": text.picture,
      "fileLabel": text.file, "titlesLabel": text.titles, "deleteGroupLabel": text.deleteGroup,
      "isNew": page.subject == nil, "name": page.fields.name, "color": page.fields.color,
      "titles": page.fields.titles,
      "pictures": pictures.map { picture -> [String: Any] in
        [
          "value": picture.rawValue, "name": text.pictureName(picture),
          "isChosen": picture == page.fields.picture,
        ]
      },
    ]) { $1 }
    let subject = page.subject.map { GroupSummary(group: $0, tally: Tally()) }
    values.merge(visit.crumbs(back: page.back, subject.map { [$0] } ?? [])) { $1 }
    if let group = subject {
      values["id"] = PageRenderer.name(of: group.id)
      values["picture"] = group.picturePath
    }
    return visit.ask(visit.page("group", values), status)
  }
}
