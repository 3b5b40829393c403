"""What a choice is told: its question, and of what has happened before only what its own seat saw."""

import os
import pickle


class Handed:
    """Two files of memory that the player's process may read: the question, and the records that it is about."""

    def __init__(self) -> None:
        self._writing = [os.memfd_create(name, os.MFD_CLOEXEC) for name in ("question", "records")]
        self.question, self.records = (os.open(f"/proc/self/fd/{one}", os.O_RDONLY) for one in self._writing)
        self._kept: dict[int, list[bytes]] = {}
        self._shown: tuple[int, ...] = ()
        self._size = 0

    def hand(self, question: bytes) -> None:
        """Have the files hold a question, as `pokersvc.players.questions` writes it, and its records."""
        forgotten, news, body = pickle.loads(question)  # noqa: S301 - from the program itself
        for number, items in news:
            self._kept.setdefault(number, []).append(items)
        numbers = tuple(number for number, _ in news)
        if numbers == self._shown and len(numbers) == 1:
            self._append(news[0][1])
            places = {numbers[0]: (0, self._size)}
        else:
            places = self._show(numbers)
        for number in forgotten:
            self._kept.pop(number, None)
        told = pickle.dumps((places, body))
        os.ftruncate(self._writing[0], 0)
        os.pwrite(self._writing[0], told, 0)
        for shared in (self.question, self.records):  # how far another choice read
            os.lseek(shared, 0, os.SEEK_SET)

    def _show(self, numbers: tuple[int, ...]) -> dict[int, tuple[int, int]]:
        os.ftruncate(self._writing[1], 0)
        self._shown, self._size, places = numbers, 0, {}
        for number in numbers:
            start = self._size
            self._append(b"".join(self._kept[number]))
            places[number] = (start, self._size - start)
        return places

    def _append(self, items: bytes) -> None:
        left = memoryview(items)
        while left:
            written = os.pwrite(self._writing[1], left, self._size)
            left, self._size = left[written:], self._size + written
