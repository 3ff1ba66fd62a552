"""What code asks of registries, as far as its text tells: where it does not, it asks for all."""

from __future__ import annotations

import ast
import re

PACKAGE = "lvlmbench"
#: Registries of which an item runs the kinds that its parameters name, and no others, and code that
#: asks one of them: by its variable, or by its name.
RUN_ALONE = ("filters", "scenarios", "models", "judges")
#: Registries that few ask: who does not, runs none of their kinds, and who does may run any.
ASKED = ("ocr_engines", "safety_engines", "prompt_formats", "strategies", "sheets")
#: What suites are registered in: an item runs the one that its parameters are of.
SUITES = "suites"
#: What is said of code that sees the subtasks of all suites that are about one subject.
SUBJECTS = "subjects"
#: What is said of code that sees which names kinds and subtasks declare for readers.
LABELS = "labels"
#: Who asks for what its code does not tell.
ANY = "*"
#: Modules that make registries of suites, where kinds are asked for by parameters.
HOMES = (f"{PACKAGE}/suites/suite.py", f"{PACKAGE}/scene/subtasks.py")

#: Variables that hold the registries.
_NAMES = {name.upper(): name for name in (*RUN_ALONE, SUITES, *ASKED)}
_NAMES["FORMATS"] = _NAMES.pop("PROMPT_FORMATS")
#: What makes a registry, by its name.
_MAKES = ("Registry", "Kinds")
#: What asks by a name: for registries, for modules, for what packages add.
_EITHER = "either"
_BY_NAME = ("kinds_of", "registry_of", _EITHER)
_FINDS = (*_BY_NAME, "import_module", "__import__", "run_module", "entry_points")
#: What holds all registries, and all modules, by the module that has it.
_HOLDS = {f"{PACKAGE}.core.registry": "_MADE", "sys": "modules"}
#: Functions that find the suite that parameters are of.
_OF_PARAMETERS = ("suite_of", "prompts_of", "schemas_of", "build_shard")
_SUBTASKS = "SUBTASKS"
#: What a module of subtasks has that tells something of those of all suites, and what has nothing
#: to tell of other suites, tells of those that a row names, or says it in messages alone.
_SEES = {"subjects": SUBJECTS, "foreground_lists": SUBJECTS, "subtask_label": LABELS}
_HARMLESS = (
    *(_SUBTASKS, "Subtask", "FOREGROUND", "SETTING", "registered"),
    *("is_subtask", "subtask_order"),
)
_MODULE = f"{PACKAGE}.scene.subtasks"
#: Who has these in hand, has what is in them.
_WHOLE = (_MODULE, f"{PACKAGE}.{SUITES}")
_WORDS = (*_NAMES, *ASKED, *_FINDS, *_OF_PARAMETERS, _SUBTASKS, "subtasks", "import_modules")
_RARE = (r"_of\(", r"\bkinds\b", r"\bsuites\b", r"from \.", *_HOLDS.values())
_MAY_ASK = re.compile("|".join((*_WORDS, *_RARE)).encode())
#: Folders of the kinds of a stage, or of a part of one, as a whole; what a kind holds is its own.
_KINDS = "kinds"
_FOLDERS = re.compile(rf"{PACKAGE}\.(stages|labelling)(\.(?!{_KINDS}\b)\w+)*\.{_KINDS}")


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
        elif isinstance(node, ast.Call) and id(node) not in harmless:
            found |= _by_call(node)
    return found


def _unclear(tree: ast.Module) -> set[str]:
    """:data:`ANY` where code has what finds modules in hand, a folder of kinds, or what is
    relative to where it stands."""
    calls = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    bound = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom | ast.Import):
            home = str(getattr(node, "module", None) or "")
            names = [f"{home}.{each.name}".strip(".") for each in node.names]
            if getattr(node, "level", 0) or any(map(_FOLDERS.fullmatch, names)):
                return {ANY}
            if any(each.asname and each.name in (*_FINDS, "sys") for each in node.names):
                return {ANY}
            if any(each.name == _HOLDS.get(home) for each in node.names):
                return {ANY}
            bound |= {each.asname or each.name.split(".")[0] for each in node.names}
    for node in ast.walk(tree):
        finds = isinstance(node, ast.Name | ast.Attribute) and _name(node) in _FINDS
        if finds and id(node) not in calls:
            return {ANY}
        if isinstance(node, ast.Attribute) and _holds_all(node, bound):
            return {ANY}
    return set()


def _holds_all(node: ast.Attribute, bound: set[str]) -> bool:
    """Whether it is all registries, all modules, or the folder of kinds of what is imported."""
    if node.attr == _KINDS:
        return ast.unparse(node.value).split(".")[0] in bound
    return node.attr == "_MADE" or (node.attr == "modules" and _name(node.value) == "sys")


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
            others = "" if each.name in _HARMLESS else SUITES
            found |= {_SEES.get(each.name, others)} - {""}
        elif {each.name, f"{home}.{each.name}"} & {*_WHOLE} or each.name == "subtasks_of":
            found.add(SUITES)
    return found


def _by_call(call: ast.Call) -> set[str]:
    name, given = called(call), [constant(call)]
    if name == _EITHER:
        values = [*call.args, *(each.value for each in call.keywords)]
        given = [_text(each) for each in values] or given
    if name in _FINDS and any(not each or each.split(".")[0] == PACKAGE for each in given):
        return {ANY}
    if name == "import_modules" and not given[0]:
        return {ANY}
    if name != _EITHER and not name.endswith("_of"):
        return set()
    found = {each for each in given if each in (*RUN_ALONE, SUITES)}
    return found | ({SUITES} if "subtasks" in given else set())


def called(call: ast.Call) -> str:
    """Return the name of what is called; empty where it has none."""
    return str(getattr(call.func, "id", None) or getattr(call.func, "attr", ""))


def constant(call: ast.Call) -> str:
    """Return the text that is given first; empty where that is no constant."""
    named = [each.value for each in call.keywords if each.arg == "name"]
    return _text(next(iter([*call.args, *named]), None))


def _text(node: ast.expr | None) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""


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
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            known = [_NAMES.get(getattr(target, "id", "")) for target in targets]
            if _name(node.value.func) in _MAKES and known == [constant(node.value)]:
                found |= {id(argument) for argument in node.value.args[:1]}
        elif isinstance(node, ast.Call) and _name(node.func) in _OF_PARAMETERS:
            own = _name(node.func) in others
            own = own or bool(node.args and _name(node.args[0]) in ("params", "_params"))
            found |= {id(node.func)} if own else set()
        elif isinstance(node, ast.Call) and _of_own_kind(node):
            found |= {id(each) for each in ast.walk(node.func)}
    return found


def _of_own_kind(call: ast.Call) -> bool:
    """Whether a call is ``kinds_of("suites").get(params.kind, ...)``: the item's own suite, where
    the module with ``suite_of`` lies above."""
    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "get" and call.args):
        return False
    asks, kind = call.func.value, call.args[0]
    return (
        isinstance(asks, ast.Call)
        and called(asks) == "kinds_of"
        and constant(asks) == SUITES
        and isinstance(kind, ast.Attribute)
        and kind.attr == "kind"
        and _name(kind.value) in ("params", "_params")
    )


def _name(node: ast.expr) -> str:
    return str(getattr(node, "id", None) or getattr(node, "attr", ""))
