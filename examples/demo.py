"""The demo: a broker, and exercises 2 and 3 side by side, live in the terminal; checked at the end.

Five producers take the Iris data apart and one consumer merges it again; meanwhile four producers send random words and
three consumers of one group count their vowels. All of them are ordinary kafka-python clients, the broker is a process
of its own. Exit code 0 only if every row came out as it went in and every word was counted once.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import re
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from examples.exercise_2_iris import with_threads as iris
from examples.exercise_3_vowels import with_threads as vowels
from millrace import Broker, __version__

if TYPE_CHECKING:
    from rich.console import RenderableType

SECONDS_SHOWN = 9.0  # how long the producers take, so that people can watch
PRODUCERS, CONSUMERS = 4, 3
REFRESHES_A_SECOND = 12
PLAIN_EVERY_S = 1.0

IRIS_ROWS = 150
NUMBERS = re.compile(
    r"^millrace_(produced_records_total|produced_bytes_total|memory_bytes\{pool=\"process\"\}) (\S+)$", re.M
)

IrisOutcome = list[iris.Row]
VowelOutcome = tuple[Counter[str], list[Counter[str]]]


class Board:
    """What is known so far: the threads of the exercises write, the screen reads."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.iris: dict[str, int] = {}
        self.vowels: dict[str, int] = {}
        self.began_s = time.monotonic()
        self._lock = threading.Lock()

    def on_iris(self, who: str, count: int) -> None:
        with self._lock:
            self.iris[who] = count

    def on_vowels(self, who: str, count: int) -> None:
        with self._lock:
            self.vowels[who] = count

    def look(self) -> tuple[dict[str, int], dict[str, int]]:
        with self._lock:
            return dict(self.iris), dict(self.vowels)

    def broker_numbers(self) -> str:
        """A line from the broker's own page of numbers."""
        with urllib.request.urlopen(f"http://{self.broker.metrics_address}/metrics", timeout=5) as answer:
            found = {name.partition("{")[0]: float(value) for name, value in NUMBERS.findall(answer.read().decode())}
        records, size, memory = (
            found.get(name, 0.0) for name in ("produced_records_total", "produced_bytes_total", "memory_bytes")
        )
        return f"{records:,.0f} records, {size / 1024:,.0f} KB in, the broker uses {memory / 1e6:.0f} MB of memory"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="A broker, and exercises 2 and 3 side by side.")
    parser.add_argument("--seconds", type=float, default=SECONDS_SHOWN, help="how long the producers take (default 9)")
    seconds: float = parser.parse_args(arguments).seconds
    print(f"millrace {__version__}: starting a broker ...", flush=True)
    begun_s = time.monotonic()
    with Broker(process=True, config={"millrace.metrics.listener": "127.0.0.1:0"}) as broker:
        print(f"it serves at {broker.bootstrap_servers} after {time.monotonic() - begun_s:.2f} s\n", flush=True)
        board = Board(broker)
        with concurrent.futures.ThreadPoolExecutor(2, thread_name_prefix="exercise") as pool:
            first = pool.submit(iris.run, broker.bootstrap_servers, 5, board.on_iris, seconds / IRIS_ROWS)
            second = pool.submit(
                vowels.run,
                broker.bootstrap_servers,
                PRODUCERS,
                CONSUMERS,
                board.on_vowels,
                seconds * 2 / 3 / vowels.WORDS,  # they begin later: a group gathers first
            )
            show = show_live if sys.stdout.isatty() else show_plain
            show(board, (first, second))
        numbers = board.broker_numbers()
        is_right = summary(first.result(), second.result(), numbers)
    print(f"\n{'all is right' if is_right else 'SOMETHING IS WRONG'}, after {time.monotonic() - begun_s:.1f} s")
    return 0 if is_right else 1


Futures = tuple["concurrent.futures.Future[IrisOutcome]", "concurrent.futures.Future[VowelOutcome]"]


def summary(rows: IrisOutcome, words: VowelOutcome, numbers: str) -> bool:
    """Say what came out, and whether it is what went in."""
    rows_right = rows == iris.read_iris()
    sent, counted = words
    total = sum(counted, Counter())
    words_right = total == sent and sum(sent.values()) == PRODUCERS * vowels.WORDS and all(counted)
    print("exercise 2: Iris, 5 producers of one attribute each, 1 merging consumer")
    print(f"  {len(rows)} rows merged, equal to the file: {'yes' if rows_right else 'NO'}")
    for species in sorted({row["species"] for row in rows}):
        lengths = [float(row["petal_length_cm"]) for row in rows if row["species"] == species]
        print(f"  {species:10} {len(lengths):3} flowers, mean petal length {sum(lengths) / len(lengths):.2f} cm")
    print(f"exercise 3: {PRODUCERS} producers of {vowels.WORDS} words each, {CONSUMERS} consumers in one group")
    for number, each in enumerate(counted, start=1):
        print(f"  consumer {number}: " + ", ".join(f"{kind}: {each[kind]}" for kind in KINDS))
    print("  together:   " + ", ".join(f"{kind}: {total[kind]}" for kind in KINDS))
    print(f"  each word counted once: {'yes' if words_right else 'NO'}")
    print(f"broker: {numbers}")
    return rows_right and words_right


KINDS = (vowels.FEWER, vowels.EXACTLY, vowels.MORE)


def show_plain(board: Board, futures: Futures) -> None:
    """A line a second, for a pipe or a log."""
    while concurrent.futures.wait(futures, timeout=PLAIN_EVERY_S).not_done:
        of_iris, of_vowels = board.look()
        sent = sum(count for who, count in of_vowels.items() if who.startswith("producer"))
        counted = sum(count for who, count in of_vowels.items() if who.startswith("consumer"))
        print(
            f"{time.monotonic() - board.began_s:4.0f} s  iris rows merged {of_iris.get('merged', 0):3} of {IRIS_ROWS}"
            f"  words sent {sent:3}, counted {counted:3} of {PRODUCERS * vowels.WORDS}",
            flush=True,
        )
    print()


def show_live(board: Board, futures: Futures) -> None:
    """Two panels of bars, drawn anew a dozen times a second."""
    from rich.live import Live

    numbers, asked_s = "", 0.0
    with Live(refresh_per_second=REFRESHES_A_SECOND) as live:
        is_over = False
        while not is_over:
            is_over = not concurrent.futures.wait(futures, timeout=1 / REFRESHES_A_SECOND).not_done
            if is_over or time.monotonic() - asked_s > 0.5:
                numbers, asked_s = board.broker_numbers(), time.monotonic()
            live.update(_screen(board, numbers))


def _screen(board: Board, numbers: str) -> RenderableType:
    from rich.columns import Columns
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    of_iris, of_vowels = board.look()
    merged = of_iris.pop("merged", 0)
    left = _bars(
        [(who, of_iris[who], IRIS_ROWS, "cyan") for who in sorted(of_iris)] + [("merged", merged, IRIS_ROWS, "green")]
    )
    total = PRODUCERS * vowels.WORDS
    right = _bars(
        [(who, of_vowels[who], vowels.WORDS, "cyan") for who in sorted(of_vowels) if who.startswith("producer")]
        + [(who, of_vowels[who], total, "green") for who in sorted(of_vowels) if who.startswith("consumer")]
    )
    panels = [
        Panel(left, title="exercise 2: Iris, taken apart and merged", width=58, height=10),
        Panel(right, title="exercise 3: words and their vowels", width=58, height=10),
    ]
    return Group(Columns(panels), Text(f"broker: {numbers}", style="dim"))


def _bars(lines: list[tuple[str, int, int, str]]) -> RenderableType:
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    table = Table.grid(padding=(0, 1))
    for who, count, total, colour in lines:
        table.add_row(who, ProgressBar(total=total, completed=count, width=26, complete_style=colour), f"{count:3}")
    return table


if __name__ == "__main__":
    sys.exit(main())
