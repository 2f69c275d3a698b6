"""Makes cases.json: random templates and texts, and what Python's textfsm (1.1) makes of them.

Run: python3 make_cases.py SEED COUNT FILE. The expectations in cases.json were made so; the tests need no Python.
"""

import io
import json
import random
import sys

import textfsm

R = random.Random(int(sys.argv[1]))
NAMES = ["A", "B", "NAME", "Port", "IF_1"]
PATTERNS = [
    r"(\S+)", r"(\d+)", r"(\w+)", r"(.*)", r"([^,]+)", r"([a-z]{2,3})", r"(up|down)", r"(\d+(?:\.\d+){3})",
    r"(\S+?)", r"(\s*\w*)", r"([]x-]+)", r"((?P<k>\w)(?P<v>\d+))", r"(\D{,2})", r"(\b\w+\b)", r"([\w.-]+)", r"(a*)",
]
OPTIONS = ["Required", "Filldown", "Fillup", "List", "Key"]
WORDS = [
    "up", "down", "Gi0/1", "10.0.0.1", "vlan", "12", "aaa", "x-]", "ab12", "\u00e91", "", "-", "core,edge", "a,b", "A1", "\t7",
]
PARTS = ["Interface ", "is ", "vlan ", "  ", r"\s+", r"\s*", ", ", ".*", "[: ]", "(?:x|is)? ?"]
MISTAKES = ["Value X", "Start", "garbage here", "Value Bad,Worse Q (x)", "^x", "  x"]


def value(name):
    options = R.sample(OPTIONS, R.choice([0, 0, 0, 1, 1, 2]))
    return "Value " + ((",".join(options) + " ") if options else "") + name + " " + R.choice(PATTERNS)


def action(states):
    line = R.choice(["", "Next", "Continue", "Continue", "Error" if R.random() < 0.15 else "Next"])
    record = R.choice(["", "Record", "Record", "Clear", "Clearall", "NoRecord"])
    target = R.choice([""] * 4 + states + ["End", "EOF"]) if line != "Continue" or R.random() < 0.05 else ""
    if line == "Error" and R.random() < 0.5:
        target = '"bad line"'
    text = " ".join(part for part in (".".join(part for part in (line, record) if part), target) if part)
    return " -> " + text if text else ""


def rule(names, states):
    text = "^"
    for _ in range(R.randint(1, 4)):
        text += R.choice(["${%s}", "$%s ", "${%s}"]) % R.choice(names) if R.random() < 0.5 else R.choice(PARTS)
    if R.random() < 0.4:
        text += "$$"
    if R.random() < 0.03:
        text += "$"
    return R.choice(["  ", " ", "\t"]) + text + (action(states) if R.random() < 0.7 else "")


def template():
    names = R.sample(NAMES, R.randint(1, 4))
    states = ["Start"] + R.sample(["S1", "S2"], R.choice([0, 0, 1, 2]))
    lines = []
    for name in names:
        lines += [value(name)] + (["# c"] if R.random() < 0.05 else [])
    lines.append("")
    for state in states:
        count = R.randint(0 if state != "Start" else 1, 4)
        lines += [state] + [rule(names, states) for _ in range(count)] + [""]
    if R.random() < 0.15:
        lines.append("EOF")
    if R.random() < 0.03:
        lines.insert(R.randint(0, len(lines)), R.choice(MISTAKES))
    return "\n".join(lines) + R.choice(["", "\n"])


def text():
    starts = ["Interface ", "vlan ", "", "  ", "is "]
    lines = [R.choice(starts) + " ".join(R.choice(WORDS) for _ in range(R.randint(0, 4))) for _ in range(R.randint(0, 8))]
    return R.choice(["\n", "\n", "\r\n"]).join(lines) + R.choice(["", "\n"])


def case():
    made, read = template(), text()
    try:
        records = textfsm.TextFSM(io.StringIO(made)).ParseTextToDicts(read)
    except Exception:
        records = None
    return {"template": made, "text": read, "records": records}


with open(sys.argv[3], "w") as file:
    json.dump([case() for _ in range(int(sys.argv[2]))], file, ensure_ascii=False, indent=1)
