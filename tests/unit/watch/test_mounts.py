import pytest

from glossator.watch.mounts import find_kind

TABLE = """\
/dev/sda1 / ext4 rw,relatime 0 0
tmpfs /tmp tmpfs rw 0 0
server:/team /mnt/team nfs4 rw,vers=4.2 0 0
//host/share /mnt/my\\040share cifs rw 0 0
C:\\134 /mnt/c 9p rw,aname=drvfs 0 0
me@host: /home/me/far fuse.sshfs rw 0 0
/dev/fuse /home/me/local fuse.encfs rw 0 0
/dev/sdb1 /mnt/team/local ext4 rw 0 0
"""


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("/home/me/work", ""),
        ("/tmp/x", ""),
        ("/mnt/team", "nfs4"),
        ("/mnt/team/docs/knowledge", "nfs4"),
        ("/mnt/teams", ""),
        ("/mnt/team/local/knowledge", ""),
        ("/mnt/my share/knowledge", "cifs"),
        ("/mnt/c/Users/me", "9p"),
        ("/home/me/far/work", "fuse.sshfs"),
        ("/home/me/local/work", ""),
    ],
)
def test_a_folder_is_remote_by_the_mount_that_holds_it(place: str, kind: str) -> None:
    assert find_kind(place, TABLE) == kind


def test_a_table_that_is_none_makes_everything_local() -> None:
    assert find_kind("/mnt/team", "") == ""
    assert find_kind("/mnt/team", "nonsense\n\n") == ""
