"""Writes what Python's Jinja makes of the cases in test/unit/jinja/cases.

Needs Python 3.11 with Jinja2 3.1.6:  python3 scripts/jinja-expectations.py
Each file holds `context`, maybe `templates`, and `cases` with `template` and maybe `options`. Their `text`, or their
`error` (with `line` and, where Jinja itself words it, `message`), is written into the same files.
"""

import json
import pathlib
import traceback

import jinja2

OWN_MESSAGES = (jinja2.TemplateSyntaxError, jinja2.UndefinedError, jinja2.TemplateNotFound)


class Templates(jinja2.BaseLoader):
    def __init__(self, templates):
        self.templates = templates

    def get_source(self, environment, template):
        source = self.templates.get(template)
        if source is None:
            raise jinja2.TemplateNotFound(template)
        return source, None, lambda: True


def environment_of(case, templates):
    options = case.get("options", {})
    return jinja2.Environment(
        loader=Templates(templates),
        trim_blocks=options.get("trimBlocks", False),
        lstrip_blocks=options.get("lstripBlocks", False),
        keep_trailing_newline=options.get("keepTrailingNewline", False),
    )


def expectation(case, context, templates):
    try:
        environment = environment_of(case, templates)
        return {"text": environment.from_string(case["template"]).render(**json.loads(json.dumps(context)))}
    except SyntaxError as error:
        # Python refuses the code that Jinja made: for us that is a mistake of the template.
        return {"error": "TemplateSyntaxError"}
    except Exception as error:
        expected = {"error": type(error).__name__}
        line = line_of(error)
        if line is not None:
            expected["line"] = line
        if isinstance(error, OWN_MESSAGES):
            expected["message"] = error.message or str(error)
        return expected


def line_of(error):
    if isinstance(error, jinja2.TemplateSyntaxError):
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<template>"]
    return lines[-1] if lines else None


def main():
    folder = pathlib.Path(__file__).parent.parent / "test" / "unit" / "jinja" / "cases"
    for file in sorted(folder.glob("*.json")):
        document = json.loads(file.read_text("utf-8"))
        kept = []
        for case in document["cases"]:
            asked = {key: case[key] for key in ("template", "options") if key in case}
            expected = expectation(asked, document["context"], document.get("templates", {}))
            # Addresses of objects differ from run to run.
            if " at 0x" not in expected.get("text", ""):
                kept.append({**asked, **expected})
        document["cases"] = kept
        file.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "utf-8")


main()
