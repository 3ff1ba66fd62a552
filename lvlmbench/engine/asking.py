"""What code asks of registries, as far as its text tells: where it does not, it asks for all."""

from __future__ import annotations

import ast
import re

PACKAGE = "lvlmbench"
#: Registries of which an item runs the kinds that its parameters name, and no others, and code that
#: asks one of them: by its variable, or by its name.
RUN_ALONE = ("filters", "scenarios", "models", "judges")
#: Registries that few ask: who does not, runs none of their kinds, and who does may run any.
ASKED = ("ocr_engines", "safety_engines", "prompt_formats", "strategies")
#: What suites are registered in: an item runs the one that its parameters are of.
SUITES = "suites"
#: What is said of code that sees the subtasks of all suites that are about one subject.
SUBJECTS = "subjects"
#: Who asks for what its code does not tell.
ANY = "*"
#: Modules that make registries of suites, where kinds are asked for by parameters.
HOMES = (f"{PACKAGE}/suites/suite.py", f"{PACKAGE}/scene/subtasks.py")

#: Variables that hold the registries.
_NAMES = {name.upper(): name for name in (*RUN_ALONE, SUITES, *ASKED)}
_NAMES["FORMATS"] = _NAMES.pop("PROMPT_FORMATS")
#: What makes a registry, by its name.
_MAKES = ("Registry", "Kinds")
#: What asks by a name.
_FINDS = ("kinds_of", "import_module", "__import__")
#: Functions that find the suite that parameters are of.
_OF_PARAMETERS = ("suite_of", "prompts_of", "build_shard")
_SUBTASKS = "SUBTASKS"
#: What a module of subtasks has that tells of those of all suites about one subject, and what has
#: nothing to tell of other suites, or says it in messages alone.
_SUBJECTS = ("subjects", "foreground_lists")
_HARMLESS = (_SUBTASKS, "Subtask", "FOREGROUND", "SETTING", "registered")
_MODULE = f"{PACKAGE}.scene.subtasks"
_WORDS = (*_NAMES, *ASKED, *_FINDS, *_OF_PARAMETERS, _SUBTASKS, "subtasks", "import_modules")
_MAY_ASK = re.compile("|".join((*_WORDS, r"_of\(", r"\bkinds\b", r"from \.")).encode())
#: Folders of the kinds of a stage as a whole.
_FOLDERS = re.compile(rf"{PACKAGE}\.stages\.\w+\.kinds")


def asked(text: bytes, tree: ast.Module) -> set[str]:
    """Return the registries that code has in hand, but to register a kind or to look one up that
    parameters or rows name; :data:`ANY` where it does not say."""
    if not _MAY_ASK.search(text):
        return set()
    found, harmless = set[str](), _harmless(tree)
    found |= _unclear(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and id(node) not in harmless:
            name = node.id if isinstance(node, ast.Name) else node.attr
            found |= _by_variable(name) if isinstance(node.ctx, ast.Load) else set()
        elif isinstance(node, ast.ImportFrom | ast.Import):
            found |= _by_import(node)
        elif isinstance(node, ast.Constant) and node.value in (*_NAMES, *ASKED, _SUBTASKS):
            found |= _by_variable(str(node.value)) if id(node) not in harmless else set()
        elif isinstance(node, ast.Call):
            found |= _by_call(node)
    return found


def _unclear(tree: ast.Module) -> set[str]:
    """:data:`ANY` where code has what finds modules in hand, a folder of kinds, or what is
    relative to where it stands."""
    calls = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            if _name(node) in _FINDS and id(node) not in calls:
                return {ANY}
        elif isinstance(node, ast.ImportFrom | ast.Import):
            home = str(getattr(node, "module", None) or "")
            names = [f"{home}.{each.name}".strip(".") for each in node.names]
            if getattr(node, "level", 0) or any(map(_FOLDERS.fullmatch, names)):
                return {ANY}
            if any(each.asname and each.name in _FINDS for each in node.names):
                return {ANY}
    return set()


def _by_variable(name: str) -> set[str]:
    if name in (_SUBTASKS, *_OF_PARAMETERS):
        return {SUITES}
    return {name} if name in ASKED else {_NAMES[name]} if name in _NAMES else set()


def _by_import(node: ast.Import | ast.ImportFrom) -> set[str]:
    """What is imported under another name, and what tells of subtasks."""
    home = node.module if isinstance(node, ast.ImportFrom) else ""
    found = set[str]()
    for each in node.names:
        found |= _by_variable(each.name) if each.asname else set()
        if home == _MODULE:
            others = set() if each.name in _HARMLESS else {SUITES}
            found |= {SUBJECTS} if each.name in _SUBJECTS else others
        elif _MODULE in (each.name, f"{home}.{each.name}") or each.name == "subtasks_of":
            found.add(SUITES)
    return found


def _by_call(call: ast.Call) -> set[str]:
    name, given = called(call), constant(call)
    if name in _FINDS and (not given or given.split(".")[0] == PACKAGE):
        return {ANY}
    if name == "import_modules" and not given:
        return {ANY}
    if name.endswith("_of") and given in (*RUN_ALONE, SUITES):
        return {given}
    return {SUITES} if name.endswith("_of") and given == "subtasks" else set()


def called(call: ast.Call) -> str:
    """Return the name of what is called; empty where it has none."""
    return str(getattr(call.func, "id", None) or getattr(call.func, "attr", ""))


def constant(call: ast.Call) -> str:
    """Return the text that is given first; empty where that is no constant."""
    named = [each.value for each in call.keywords if each.arg == "name"]
    first = next(iter([*call.args, *named]), None)
    return str(first.value) if isinstance(first, ast.Constant) else ""


def _harmless(tree: ast.Module) -> set[int]:
    """What asks for nothing: to make a registry, to register, the suite of the item's own
    parameters, and a subtask that a row or the parameters name."""
    found, others = set[int](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{PACKAGE}.config"):
            others |= {each.name for each in node.names}  # another function of the same name
        elif isinstance(node, ast.Attribute) and node.attr == "register":
            found.add(id(node.value))
        elif isinstance(node, ast.Subscript) and _name(node.value) == _SUBTASKS:
            if isinstance(node.slice, ast.Name | ast.Attribute | ast.Subscript):
                found.add(id(node.value))
        elif isinstance(node, ast.Call) and _name(node.func) in _MAKES:
            found |= {id(argument) for argument in node.args[:1]}
        elif isinstance(node, ast.Call) and _name(node.func) in _OF_PARAMETERS:
            own = _name(node.func) in others
            own = own or bool(node.args and _name(node.args[0]) in ("params", "_params"))
            found |= {id(node.func)} if own else set()
    return found


def _name(node: ast.expr) -> str:
    return str(getattr(node, "id", None) or getattr(node, "attr", ""))
