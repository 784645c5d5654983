import Croft
import Foundation
import Testing
import TodoImages
import TodoKit
import TodoTestSupport

/// How pictures are asked for, without a server.
@Suite("AnimalAPI")
struct AnimalAPITests {
  private func api(_ server: String, key: String? = nil) throws -> AnimalAPI {
    AnimalAPI(server: try #require(URL(string: server)), key: key)
  }

  @Test func theSearchIsAddressedToTheServer() throws {
    let expected = "https://api.thedogapi.com/v1/images/search?limit=1&mime_types=jpg,png,gif"
    #expect(try api("https://api.thedogapi.com").searchURL.absoluteString == expected)
    #expect(try api("https://api.thedogapi.com/").searchURL.absoluteString == expected)
    #expect(
      AnimalAPI.publicServers().map { $0.server.host() } == [
        "api.thedogapi.com", "api.thecatapi.com",
      ])
  }

  @Test func aMissingKeyIsNormal() throws {
    for key in [nil, "", "  "] {
      #expect(try api("https://x.example", key: key).headers == ["Accept": "application/json"])
    }
    #expect(try api("https://x.example", key: "k\n").headers["x-api-key"] == "k")
  }

  @Test func anAddressOfTheWebIsTaken() throws {
    let answer = Data(#"[{"id":"a","url":"https://cdn2.thedogapi.com/images/a.jpg"},{}]"#.utf8)
    // The first is what counts; one that cannot be read spoils the list.
    #expect(throws: TodoError.self) { try api("https://x.example").imageURL(from: answer) }
    let one = Data(#"[{"id":"a","url":"https://cdn2.thedogapi.com/images/a.jpg"}]"#.utf8)
    #expect(
      try api("https://x.example").imageURL(from: one).absoluteString
        == "https://cdn2.thedogapi.com/images/a.jpg")
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://x.example/a.png", "a.png", "https://", "http:a"])
  func otherAddressesAreRefused(url: String) throws {
    let answer = try JSONEncoder().encode([["url": url]])
    for server in ["https://x.example", "http://127.0.0.1:80", "file:///"] {
      #expect(throws: TodoError.self) { try api(server).imageURL(from: answer) }
    }
  }

  @Test func anOpenAddressIsRefusedByAnEncryptedServer() throws {
    let answer = Data(#"[{"url":"http://x.example/a.png"}]"#.utf8)
    #expect(throws: TodoError.self) { try api("https://x.example").imageURL(from: answer) }
    #expect(try api("http://x.example").imageURL(from: answer).scheme == "http")
  }

  @Test(arguments: [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], ImageKind.png),
    ([0xFF, 0xD8, 0xFF, 0xE0, 1], .jpeg), (Array("GIF89a..".utf8), .gif),
    (Array("GIF87a..".utf8), .gif), (Array("RIFF1234WEBPVP8 ".utf8), .webp),
  ])
  func aPictureIsKnownByItsFirstBytes(bytes: [UInt8], kind: ImageKind) throws {
    let image = try AnimalAPI.image(contentType: "Image/JPEG; q=1", bytes: Data(bytes))
    #expect(image.mimeType == kind.rawValue)
    for count in 0..<3 { #expect(ImageKind(of: Data(bytes.prefix(count))) == nil) }
    #expect(throws: TodoError.self) { try AnimalAPI.image(contentType: nil, bytes: Data(bytes)) }
    #expect(throws: TodoError.self) {
      try AnimalAPI.image(contentType: "text/image/png", bytes: Data(bytes))
    }
  }
}

@Suite("PlaceholderImages")
struct PlaceholderImagesTests {
  @Test func theSameGroupHasTheSamePictureInEveryRun() {
    let image = PlaceholderImages().image(for: .numbered(1))
    #expect(image.mimeType == "image/svg+xml")
    #expect(image == PlaceholderImages().image(for: .numbered(1)))
    let text = String(decoding: image.bytes, as: UTF8.self)
    #expect(text.hasPrefix("<svg ") && text.hasSuffix("</svg>"))
    #expect(image.bytes.count < 2000)
  }

  @Test func groupsMadeOneAfterAnotherHaveDifferentPictures() {
    let pictures = (1...500).map { PlaceholderImages().image(for: .numbered($0)) }
    #expect(Set(pictures).count == 500)
    let made = (1...500).map { _ in PlaceholderImages().image(for: .timeOrdered()) }
    #expect(Set(made).count == 500)
  }

  @Test func everyPictureIsMirroredAndNeedsNoNetwork() {
    for number in 1...100 {
      let text = String(
        decoding: PlaceholderImages().image(for: .numbered(number)).bytes, as: UTF8.self)
      for (left, right) in [(0, 4), (1, 3)] {
        for row in 0..<5 {
          #expect(
            text.contains(#"<rect x="\#(left)" y="\#(row)""#)
              == text.contains(#"<rect x="\#(right)" y="\#(row)""#))
        }
      }
      #expect(!text.contains("href") && !text.contains("script"))
    }
  }
}
