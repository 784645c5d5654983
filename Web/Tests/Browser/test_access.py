"""What the server answers to those who are not its page, over plain sockets."""

import http.client
import socket

import pytest


def ask(todo, method="GET", path="/lists/all", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", todo.port, timeout=20)
    connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
    answer = connection.getresponse()
    answer.text = answer.read().decode()
    connection.close()
    return answer


@pytest.fixture
def cookie(todo):
    answer = ask(todo, path=todo.address.removeprefix(todo.origin))
    assert answer.status == 303
    whole = answer.getheader("Set-Cookie")
    assert "HttpOnly" in whole and "SameSite=Strict" in whole
    return whole.split(";")[0]


def test_without_the_token_nothing_is_shown(todo):
    for path in ["/", "/lists/all", "/lists/all/events", "/assets/page.css", "/nothing"]:
        assert ask(todo, path=path).status == 401
    assert ask(todo, path="/?token=" + "0" * 32).status == 401
    assert ask(todo, Cookie=f"todo-{todo.port}={'0' * 32}").status == 401


def test_a_foreign_host_is_refused_everywhere(todo, cookie):
    for path in ["/lists/all", "/lists/all/events", todo.address.removeprefix(todo.origin)]:
        assert ask(todo, path=path, Host="evil.example", Cookie=cookie).status == 403


def test_a_write_of_another_site_is_refused(todo, cookie):
    body = "line=from+afar+!h"
    for origin in [{}, {"Origin": "http://evil.example"}, {"Origin": "null"}]:
        answer = ask(todo, "POST", "/lists/all/items", body, Cookie=cookie, **origin)
        assert answer.status == 403
    assert "from afar" not in todo.prompt("ls")


def test_every_answer_has_the_headers_that_guard_it(todo, cookie):
    for answer in [ask(todo), ask(todo, Cookie=cookie), ask(todo, path="/no", Cookie=cookie)]:
        assert answer.getheader("Content-Security-Policy").startswith("default-src 'self'")
        assert answer.getheader("X-Content-Type-Options") == "nosniff"


def test_statuses_say_what_is_wrong(todo, cookie):
    def post(path, body):
        return ask(todo, "POST", path, body, Cookie=cookie, Origin=todo.origin).status

    id = "00000000-0000-0000-0000-000000000000"
    assert post("/lists/all/items", "line=bread+!h") == 303
    assert post("/lists/all/items", "line=++") == 422
    assert post("/lists/all/items", "line=x+due:never") == 422
    assert post("/actions", "action=format") == 400
    assert post("/actions", f"action=done&id={id}") == 404
    assert post("/actions", f"action=confirm&token={id}") == 409
    assert post("/actions", "action=newGroup&text=Important") == 409
    assert post("/actions", "action=redo") == 409
    assert ask(todo, path=f"/lists/{id}", Cookie=cookie).status == 404
    assert ask(todo, path="/lists/..%2f..", Cookie=cookie).status == 404


def test_a_redirect_never_leaves_the_server(todo, cookie):
    for back in ["//evil.example", "http://evil.example", "/lists/x%0d%0aX-Evil:1"]:
        answer = ask(
            todo, "POST", "/lists/all/items", f"line=bread+!h&back={back}", Cookie=cookie,
            Origin=todo.origin)
        assert answer.getheader("Location") == "/lists/all?said=added"
        assert answer.getheader("X-Evil") is None


def test_a_body_that_is_too_large_is_not_kept(todo, cookie):
    answer = ask(
        todo, "POST", "/lists/all/items", "line=" + "x" * 70_000, Cookie=cookie,
        Origin=todo.origin)
    assert answer.status == 413
    with socket.create_connection(("127.0.0.1", todo.port), timeout=20) as connection:
        connection.sendall(
            f"POST /lists/all/items HTTP/1.1\r\nHost: 127.0.0.1:{todo.port}\r\n"
            f"Cookie: {cookie}\r\nOrigin: {todo.origin}\r\nContent-Length: 104857600\r\n\r\n".encode())
        try:
            for _ in range(100):
                connection.sendall(b"x" * 1_048_576)
        except OSError:
            pass  # The server closed the connection, as it may.
    assert ask(todo, Cookie=cookie).status == 200


def test_headers_without_end_are_refused(todo):
    with socket.create_connection(("127.0.0.1", todo.port), timeout=20) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{todo.port}\r\n".encode())
        try:
            connection.sendall(b"A: " + b"b" * 100_000 + b"\r\n\r\n")
            first = connection.recv(100)
        except OSError:
            first = b""
    assert b" 200 " not in first


def test_half_requests_and_many_connections_leave_room(todo, cookie):
    held = []
    for number in range(1000):
        connection = socket.create_connection(("127.0.0.1", todo.port), timeout=20)
        if number % 2:
            connection.sendall(b"GET /lists/all HTTP/1.1\r\nHost: 127")
        held.append(connection)
    assert ask(todo, Cookie=cookie).status == 200
    for connection in held:
        connection.close()
    assert ask(todo, Cookie=cookie).status == 200


def test_readers_that_read_nothing_stop_nobody(todo, cookie):
    held = []
    for _ in range(200):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", todo.port))
        connection.sendall(
            f"GET /lists/all/events HTTP/1.1\r\nHost: 127.0.0.1:{todo.port}\r\n"
            f"Cookie: {cookie}\r\n\r\n".encode())
        held.append(connection)
    for number in range(20):
        todo.prompt("add", f"bread {number} " + "x" * 1000)
    assert "bread 19" in ask(todo, Cookie=cookie).text
    for connection in held:
        connection.close()
    assert ask(todo, Cookie=cookie).status == 200


def test_the_server_ends_at_once_also_with_open_events(todo, cookie):
    connection = socket.create_connection(("127.0.0.1", todo.port), timeout=20)
    connection.sendall(
        f"GET /lists/all/events HTTP/1.1\r\nHost: 127.0.0.1:{todo.port}\r\n"
        f"Cookie: {cookie}\r\n\r\n".encode())
    assert b"200" in connection.recv(1000)
    assert todo.stop() == 0
    connection.close()
