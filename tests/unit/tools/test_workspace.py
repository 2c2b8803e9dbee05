"""The path guard accepts what is inside in every spelling, and reads what the editor holds."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.core.errors import GlossatorError, OutsideWorkspace, ProtectedFile, UnreadableFile
from glossator.core.text import SourceText
from glossator.tools.workspace import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "app"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").write_text("x = 1\n", encoding="utf-8")
    (folder / "src" / "名称.py").write_text("值 = 1\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "spelling",
    [
        "src/a.py", "./src/a.py", "src//a.py", "src/../src/a.py", "../app/src/a.py", "src\\a.py",
        "app/src/a.py", " src/a.py ",
    ],
)  # fmt: skip
def test_a_file_inside_is_found_in_every_spelling(root: Path, spelling: str) -> None:
    assert Workspace([root]).locate(spelling) == root / "src" / "a.py"


def test_absolute_paths_and_uris_inside_are_accepted(root: Path) -> None:
    workspace = Workspace([root])
    target = root / "src" / "名称.py"

    assert workspace.locate(str(target)) == target
    assert workspace.locate(target.as_uri()) == target
    assert workspace.locate(target.as_uri().replace("file://", "file://localhost")) == target


def test_a_root_that_is_a_symlink_is_known_by_both_names(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    workspace = Workspace([tmp_path / "link"])

    assert workspace.roots == (root,)
    assert workspace.locate(str(tmp_path / "link" / "src" / "a.py")) == root / "src" / "a.py"


def test_a_file_that_does_not_exist_is_located_and_then_said_to_be_missing(root: Path) -> None:
    workspace = Workspace([root])

    assert workspace.locate("src/new.py") == root / "src" / "new.py"
    with pytest.raises(UnreadableFile, match=r"`src/new\.py` does not exist"):
        workspace.read("src/new.py")


def test_several_roots_are_told_apart_by_name_and_shown_with_it(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "app"
    other.mkdir(parents=True)
    (other / "only.py").write_text("", encoding="utf-8")
    workspace = Workspace([root, other])

    assert workspace.locate("app/src/a.py") == root / "src" / "a.py"
    assert workspace.locate("only.py") == other / "only.py"
    assert workspace.show(other / "only.py") == "app-2/only.py"
    assert workspace.locate("app-2/only.py") == other / "only.py"
    assert workspace.locate_folders(".") == (root, other)


def test_nested_roots_are_walked_once(root: Path) -> None:
    workspace = Workspace([root, root / "src"])

    assert [path.name for path in workspace.walk()] == ["a.py", "名称.py"]
    assert workspace.show(root / "src" / "a.py") == "src/a.py"


def test_without_a_folder_every_path_is_refused() -> None:
    with pytest.raises(OutsideWorkspace, match="No folder is open"):
        Workspace([]).locate("a.py")


def test_the_buffer_counts_and_not_the_disk(root: Path) -> None:
    path = root / "src" / "a.py"
    unsaved = root / "src" / "unsaved.py"
    buffers = {
        path: SourceText("file:///whatever", "x = 2\n", path=path, version=7),
        unsaved: SourceText("new", "y = 1\n", path=unsaved, version=1),
    }
    workspace = Workspace([root], buffers)

    assert workspace.read("src/a.py").text == "x = 2\n"
    assert workspace.read(path).name == "src/a.py"
    assert workspace.read(path).version == 7
    assert workspace.read("src/unsaved.py").text == "y = 1\n"
    assert set(workspace.open_documents()) == {path, unsaved}


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfa\r\nb", "a\r\nb"),
        ("中文\n".encode("utf-16"), "中文\n"),
        ("中文\n".encode("utf-32"), "中文\n"),
        ("你好，世界\n".encode("gb18030"), "你好，世界\n"),
        ("# 计算总和\ndef f(): pass\n".encode("gbk"), "# 计算总和\ndef f(): pass\n"),
        (b"", ""),
        (b"a\rb\x0cc\n", "a\rb\x0cc\n"),
    ],
)
def test_text_is_decoded_and_its_line_ends_are_kept(root: Path, data: bytes, text: str) -> None:
    (root / "t.txt").write_bytes(data)

    assert Workspace([root]).read("t.txt").text == text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "PNG image, 10 bytes"),
        (bytes(range(256)) * 20, "binary data"),
        ("déjà vu, garçon à la crème\n".encode("latin-1") * 20, "an unknown encoding"),
    ],
)
def test_what_is_no_text_is_named(root: Path, data: bytes, said: str) -> None:
    (root / "t.txt").write_bytes(data)

    with pytest.raises(UnreadableFile, match=said):
        Workspace([root]).read("t.txt")


def test_a_large_file_is_read_in_part_and_not_whole(root: Path) -> None:
    (root / "big.txt").write_text("行\n" * 1000, encoding="utf-8")
    workspace = Workspace([root], max_file_bytes=1001)

    part = workspace.read_part("big.txt")

    assert part.source.lines[:2] == ("行", "行")
    assert (part.size_bytes, part.n_bytes_left) == (4000, 2999)
    with pytest.raises(UnreadableFile, match=r"4\.0 kB"):
        workspace.read("big.txt")


def test_git_ignores_at_every_level_are_followed(root: Path) -> None:
    (root / ".git" / "info").mkdir(parents=True)
    (root / ".git" / "info" / "exclude").write_text("local.txt\n", encoding="utf-8")
    (root / ".gitignore").write_text(
        "*.log\nbuild/\n!keep.log\n!\n[z-a]\n/top.txt\n", encoding="utf-8"
    )
    (root / "src" / ".gitignore").write_text("!wanted.log\nhere.py\n", encoding="utf-8")
    names = [
        "a.log", "keep.log", "build/x.py", "src/wanted.log", "src/here.py", "here.py", "top.txt",
        "src/top.txt", "local.txt", "node_modules/m.js", "src/__pycache__/c.py",
    ]  # fmt: skip
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("", encoding="utf-8")
    workspace = Workspace([root])

    walked = {workspace.show(path) for path in workspace.walk()}

    assert walked == {
        ".gitignore", "here.py", "keep.log", "src/.gitignore", "src/a.py", "src/top.txt",
        "src/wanted.log", "src/名称.py",
    }  # fmt: skip
    for name in names:
        assert workspace.is_ignored(root / name) is (name not in walked), name
    assert workspace.read("build/x.py").text == ""


def test_a_workspace_inside_an_ignored_folder_is_walked(root: Path) -> None:
    (root / ".git").mkdir()
    (root / ".gitignore").write_text("src/\n*.tmp\n", encoding="utf-8")
    workspace = Workspace([root / "src"])

    assert [path.name for path in workspace.walk()] == ["a.py", "名称.py"]
    assert [path.name for path in Workspace([root]).walk(root / "src")] == ["a.py", "名称.py"]


def test_a_walk_is_in_the_order_of_names_and_follows_no_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("", encoding="utf-8")
    (root / "b.py").symlink_to(tmp_path / "outside.py")
    (root / "loop").symlink_to(root)
    (root / "Z.py").write_text("", encoding="utf-8")
    (root / "t.png").write_bytes(b"")

    shown = [path.relative_to(root).as_posix() for path in Workspace([root]).walk()]

    assert shown == ["Z.py", "src/a.py", "src/名称.py"]


def test_names_that_are_not_utf8_are_shown_and_found_again(root: Path) -> None:
    raw = os.fsencode(root) + b"/\xff.md"
    with open(raw, "wb") as file:  # noqa: PTH123 - the name has no text form
        file.write(b"hello")
    workspace = Workspace([root])

    (path,) = [path for path in workspace.walk() if path.suffix == ".md"]
    shown = workspace.show(path)

    assert shown == "\\xff.md"
    assert workspace.read(shown).text == "hello"


@pytest.mark.parametrize(
    "name",
    [
        ".env", ".env.local", ".ENV", "prod.env", ".envrc", "id_rsa", "id_ed25519", "server.pem",
        "tls.key", "store.p12", ".npmrc", ".pypirc", ".netrc", "credentials", "credentials.json",
        "secrets.yaml", "service-account.json", ".git/config", ".git/hooks/post", ".ssh/known",
        ".aws/config", "terraform.tfstate", ".docker/config.json", ".glossator/audit.jsonl",
        ".g\u200bit/config", "．env", ".env ", ".env2", ".envrc.local", ".dev.vars", "prod.tfvars",
        "id_rsa_work", "id_ed25519-git@hub", "store.pkcs12", "office.ovpn", "local.settings.json",
        "application_default_credentials.json", ".bash_history",
    ],
)  # fmt: skip
def test_secrets_are_protected_and_their_message_names_the_file_only(root: Path, name: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("CANARY", encoding="utf-8")
    workspace = Workspace([root])

    with pytest.raises(ProtectedFile) as caught:
        workspace.read(name)

    assert "CANARY" not in str(caught.value)
    assert path not in set(workspace.walk())
    with pytest.raises(ProtectedFile):
        workspace.read(path)


@pytest.mark.parametrize(
    "name",
    [
        ".env.example", ".env.sample", ".env.template", "example.env", "environment.py", "keys.py",
        "credentials.py", "secrets.py", "id_rsa.pub", "author.json", ".github/workflows/ci.yml",
        ".gitignore", ".gitattributes", "gitx/config", "config.json", "secrets.example.yaml",
        "id_rsa_work.pub", "id_rsa.github.pub", "terraform.tfvars.example", ".dev.vars.example",
        "variables.tf", "id_rsa_format.py",
    ],
)  # fmt: skip
def test_neighbours_of_secrets_are_readable(root: Path, name: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("fine", encoding="utf-8")

    assert Workspace([root]).read(name).text == "fine"


_KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nCANARY\n-----END OPENSSH PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    "text",
    [
        _KEY,
        f"\ufeff\n{_KEY}",
        f"-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n{_KEY}",
        f"Bag Attributes\n    localKeyID: 01\n{_KEY}",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nCANARY\n",
        "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nCANARY\n",
        '{"type": "service_account", "private_key": "-----BEGIN PRIVATE KEY-----\\nCANARY"}',
    ],
)
def test_a_private_key_is_one_under_any_name(root: Path, text: str) -> None:
    path = root / "notes.txt"
    path.write_text(text, encoding="utf-8")
    from_disk = Workspace([root])
    from_editor = Workspace([root], {path: SourceText("notes.txt", text)})

    for workspace in (from_disk, from_editor):
        with pytest.raises(ProtectedFile, match=r"`notes.txt` may hold keys"):
            workspace.read("notes.txt")
    with pytest.raises(ProtectedFile):
        from_disk.read_walked(str(path))
    assert from_editor.open_documents() == {}


@pytest.mark.parametrize(
    "text",
    [
        f'KEY = """\n{_KEY}"""\n',
        f"# Keys\n\n    {_KEY}",
        "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n",
        "-----BEGIN PUBLIC KEY-----\nMII\n-----END PUBLIC KEY-----\n",
        '{"private_key": ""}',
    ],
)
def test_what_quotes_a_key_or_is_public_is_read(root: Path, text: str) -> None:
    (root / "notes.txt").write_text(text, encoding="utf-8")

    assert Workspace([root]).read("notes.txt").text == text


@given(st.text(max_size=60))
def test_whatever_is_asked_for_the_answer_is_inside_or_a_refusal(text: str) -> None:
    workspace = Workspace([Path(__file__).parent])

    try:
        found = workspace.locate(text)
    except (OutsideWorkspace, ProtectedFile, UnreadableFile) as error:
        str(error).encode("utf-8")
    else:
        assert found.is_relative_to(workspace.roots[0])


@pytest.mark.parametrize("path", ["a\ud800.py", "file://[x", "http://[", "file:///%5B\ud800"])
def test_what_can_be_no_path_is_refused_and_nothing_else_raised(root: Path, path: str) -> None:
    with pytest.raises(GlossatorError):
        Workspace([root]).locate(path)


@pytest.mark.parametrize("name", [".env", "certs/server.pem", ".git/config", "../elsewhere/id_rsa"])
def test_a_secret_is_one_wherever_it_stands(root: Path, name: str) -> None:
    workspace = Workspace([root])

    assert workspace.is_secret(root / name)
    assert not workspace.is_secret(root / "src" / "a.py")


@pytest.mark.parametrize(
    "name",
    [".env~", "#.env#", "..env.swp", ".env.swp", "prod.env.bak", "id_rsa.bak", ".npmrc.orig"],
)
def test_a_copy_of_a_secret_is_one_too(root: Path, name: str) -> None:
    assert Workspace([root]).is_secret(root / name)


@pytest.mark.parametrize("name", ["main.py~", ".env.example.bak", "#notes#", "key.1", "a.py.orig"])
def test_a_copy_of_anything_else_is_none(root: Path, name: str) -> None:
    assert not Workspace([root]).is_secret(root / name)
