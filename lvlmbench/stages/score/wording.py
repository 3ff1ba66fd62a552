# ruff: noqa: RUF001 - letters of other scripts are meant
"""Phrases by which models announce, take back, hedge or refuse an answer, in several languages.

Only regular expressions without nested repetition: an answer of 100 KB must not stall scoring.
"""

from __future__ import annotations

import re

from lvlmbench.stages.score.near import Phrases

#: Nouns that announce an answer.
ANNOUNCE = (
    r"(?:answer|ans|option|choice|selection|response|(?:correct|right|true) one"
    r"|(?:la|el|l[ae] r[ée]ponse) correct[aeo]|die richtige"
    r"|(?:best|closest|nearest)(?: match| fit| guess| one)?"
    r"|respuesta|r[ée]ponse|antwort|resposta|risposta|odpowied[źz]|antwoord|cevap|jawaban"
    r"|ответ|đáp án|答案|答え|答|正解|选择|選擇|选项|選項|選択肢|정답|답|उत्तर|الجواب|الإجابة)"
)
#: "most likely", "of course" and the like between an announcement and what it announces.
_FILLER = (
    r"(?:most likely|likely|probably|definitely|clearly|therefore|thus|hence|then|simply|indeed"
    r"|la|el|il|lo|die|der|het|l'"
    r"|letter|option|choice|number|opci[oó]n|opç[aã]o|buchstabe|lettre|буква|вариант|选项|選項)"
)
#: From the announcing noun to the letter: a qualifier, a verb or sign, fillers.
LINK = (
    r"(?:[ \t]+(?:\d{1,2}|correcta|correcte|correta|corretta|giusta|juste|bonne|richtige|goede"
    r"|to|for|in|here|of)\b"
    r"[^.:\n]{0,40}?)?"
    r"[\"']?[ \t]*"
    r"(?:(?:\b(?:is|was|are|would be|should be|must be|has to be|es|est|ist|lautet|é|è|là|to)\b"
    r"|是|为|為|は|が|은|는|है|هي|هو|:|=|-+>?|→|⇒|\n)[ \t\n]*){1,3}"
    rf"(?:{_FILLER}[ \t:,]*){{0,2}}"
)
#: Verbs that announce a choice: "I'd go with".
CHOOSE = (
    r"(?:\bI(?:'d| would| will|'ll| have to| must| can)?[ \t]+(?:\w+[ \t]+)?"
    r"(?:choose|chose|pick|select|go with|go for|opt for|say|guess|vote for|lean towards?)"
    r"|\bI(?:'m| am)[ \t]+(?:\w+[ \t]+)?(?:choosing|picking|selecting|going (?:with|for)"
    r"|leaning towards?)"
    r"|\bmy (?:pick|guess|vote) (?:is|would be)"
    r"|\b(?:we|let's|let us) (?:choose|pick|select|go with)"
    r"|(?:我(?:会)?|所以|因此|故|应(?:该)?|(?<![^\n，,。]))(?:选|選)(?:择|擇)?(?!项|項)"
    r"|\bcevap(?:ım|ımız)?(?=[ \t]+[A-Z]')"
    rf")[ \t:]*(?:{_FILLER}[ \t:]*){{0,2}}"
)
#: Parts of the ASCII words in ANNOUNCE and CHOOSE; each match of either holds one.
ANNOUNCING = (
    *("ans", "option", "choice", "selection", "response", "best", "closest", "nearest"),
    *("respuesta", "reponse", "antwo", "resposta", "risposta", "odpowied", "cevap", "jawaban"),
    *("choos", "chose", "pick", "select", "go with", "go for", "opt for", " say", "guess"),
    *("vote", "lean", "going"),
)
#: Words of conclusion that are followed by the letter itself: "Therefore, C."
CONCLUDED = (
    r"(?:\b(?:left with|leaves(?: us with)?"
    r"|so|therefore|thus|hence|finally|final(?: choice)?|conclusion|daher|donc|quindi"
    r"|portanto|por (?:lo )?tanto|поэтому|значит)\b"
    r"|∴|⇒|したがって|よって|ゆえに|だから|따라서|그러므로|因此|所以)[ \t,:、,]*"
    r"(?:(?:it(?:'s| is| must be)|that(?:'s| is)|we (?:get|have)|only|option)[ \t]+){0,2}"
)
#: The writer takes back at once what was just said.
RETRACTION = Phrases(
    r"(?:\b(?:but|no|hmm+),?\s+|\bit(?:'s| is)\s+|(?<![\w\"'] )(?<![\w\"'])\b)"
    r"(?:wait|actually|on (?:second thou?ghts?|reflection)|correction|scratch that"
    r"|sorry,? I meant|I meant"
    r"|let me (?:correct|reconsider|re-?think|re-?count|count (?:them )?again)"
    r"|changing my)\b[\s,.:;-]*"
    r"|(?<=\? )(?:no|nope|nein|non|нет)\b[\s,.:;-]*"
    r"|(?<=[.,;-] )(?:no|oops|make that|i mean|or rather)[,.:;]\s+(?!not?\b)"
    r"|不对[，,。]?|更正[：:]?",
    (
        *("? no", "? nein", "? нет", " no,", " no.", " no;", " no:", "oops", "make that"),
        *("i mean", "or rather"),
        *("wait", "actually", "second thou", "on reflection", "correction", "scratch that"),
        *("i meant", "let me c", "let me re", "changing my"),
    ),
    before=16,
    after=40,
)
#: The writer, who declines or does not know, guesses.
GUESSES = Phrases(
    r"\b(?:if i (?:had|have|must|was|were)(?: forced| pressed| asked)?(?: to)? ?(?:guess|choose"
    r"|pick|answer|say|select|decide)?|if (?:forced|pressed)(?: to \w+)?"
    r"|forced to (?:guess|choose|pick)"
    r"|(?:my|a|an|best|educated|wild|pure|just|only)(?: best| educated| wild| rough| blind)? guess"
    r"|(?:but|so|still|however),? (?:i(?:'d| would| will|'ll) (?:guess|say|go|pick|choose|lean)"
    r"|(?:it(?:'s| is) )?(?:probably|most likely|likely|presumably)))\b[\s,:]*"
    r"|si tuviera que \w+|si je devais \w+|wenn ich (?:raten|wählen) m[uü]sst?e?|se dovessi \w+"
    r"|se eu tivesse que \w+|если (?:бы )?\w* ?угадывать"
    r"|如果(?:非要|必须|一定要|要)?(?:我)?(?:猜|选)|猜测|推測|もし(?:推測|選ぶ)",
    (
        *("if i ", "if forced", "if pressed", "forced to", "guess"),
        *("i'd ", "i would", "i will", "i'll ", "probably", "likely", "presumably"),
        *("si tuviera", "si je devais", "wenn ich raten", "se dovessi", "se eu tivesse"),
    ),
)
#: After a letter: it is called the right one.
CALLED_RIGHT = re.compile(
    r"[ \t]*[\"']?[ \t]*(?:is|seems|looks|appears|would be|must be)"
    r"(?:[ \t]+(?!not\b|n't)\w+){0,3}?[ \t]+(?:correct|right|answer|best|match|true one)\b"
    r"|[ \t]*(?:matches|fits|describes)\b[^.\n]{0,30}\bbest\b",
    re.I,
)

#: Before a letter or label: it is ruled out.
_NEGATED_BEFORE = re.compile(
    r"(?:\bnot|n't|\bcannot|\btoo \w+ (?:for|to be)"
    r"|\b(?:may|might|could) (?:\w+ )?(?:look like|seem|appear|pass for)|\bneither"
    r"|\bnor(?: (?:is|are|was|does) (?:it|he|she|this|they))?|\bno (?:trace|sign) of"
    r"|\b(?:rather|other|more|less|fewer) than|\binstead of"
    r"|\bunlike|\bexcept|\b(?:all|everything|anything) but|\bno"
    r"|\bwas going to (?:say|choose|pick)|\brul(?:es?|ed|ing) out"
    r"|\beliminat\w+|\bexclud\w+|\bdismiss\w*|不是|\bnicht|\bno es|\bpas|\bне|\bnão|\bnon è"
    r"|\bnie|\btampoco|\bn(?:i|em|é)|\bkeine?[mnrs]?|\b(?:weder|noch)"
    r"|(?:n't|\b(?:not|never))(?: (?!(?:but|only|just|is|are|was|were|and|or|if|that|far|sure"
    r"|because|than|whether|as|so)\b)[\w'-]+){1,3}"
    r"|\b(?:first|initially),? (?:I )?(?:took|thought|guessed|said|saw|read|leaned|counted|got"
    r"|had|estimated)\b"
    r"(?:(?!\bbut\b)[^.;\n]){0,40})"
    r"(?:[ \t]+(?:be|option|choice|really|actually|necessarily|exactly|the|an?|un[ea]?|ein[e]?"
    r"|la|el|le|il|lo|die|der|das|uma?|é|es|est|ist|answer|show|depict|showing"
    r"|of|either)){0,4}[ \t\"'(]*$",
    re.I,
)
#: After a letter or label: it is ruled out.
_NEGATED_AFTER = re.compile(
    r"[)\]:\"' \t-]*(?:(?:is|are|was|seems|looks|can(?: clearly)? be|can)[ \t]+)?"
    r"(?:wrong|incorrect|out(?= as well|[.,;])"
    r"|not\b(?! (?:an?|the|my)\b| ?[(\[])|n't|unlikely|impossible|ruled out"
    r"|eliminated|out of the question|does(?:n't| not)|isn't|do(?:n't| not) (?:match|fit)"
    r"|scheidet|entfällt|fällt weg|kommt nicht|no (?:lo )?es\b|tampoco|es imposible"
    r"|(?:est|es|è|é) (?:faux|fausse|incorrect|falsa?|errad|sbagliat)"
    r"|(?:(?:でも|도)[^、,.。]{1,12})?(?:(?:で[はも]|じゃ)(?:な[くい]|ありません)"
    r"|[가이도은는] ?아[니닙])"
    r"|n'est pas|(?:ist )?(?:falsch|nicht)\b"
    r"|не (?:подходит|верн)|неверн|不(?:对|是|正确|符)|错)",
    re.I,
)
_NEGATIONS = (
    *(" but", "too ", "may ", "might ", "could ", "not", "n't", "nor", "neither", " than", "never"),
    *("instead of", "unlike", "except", "no ", "rul", "eliminat", "exclud", "dismiss", "going to"),
    *("不是", "nicht", "pas ", "не", "não", "non", "nie", "first", "initially", "kein", "weder "),
    *("noch ", "ni ", "nem ", "né "),
)
#: Around a letter or label: the writer took it for the answer before.
_SAID_BEFORE = re.compile(
    r"\bI(?:'ve|'d| had| have)? (?:\w+ )?(?:said|answered|wrote|thought|picked|chose)"
    r"(?: (?:it|that|this|was|is|an?|the|option))*[ \t\"'(]*$",
    re.I,
)
_TAKEN_BACK = re.compile(
    r"[)\"' \t,]*(?:before|earlier|(?:at )?first|initially|previously|but)\b", re.I
)


def ruled_out(text: str, start: int, end: int) -> bool:
    """Return whether the letter or label at a place of a text is said not to be the answer."""
    before = text[max(0, start - 60) : start]
    lower = before.lower()
    if any(word in lower for word in _NEGATIONS) and _NEGATED_BEFORE.search(before):
        return True
    if _SAID_BEFORE.search(before) and _TAKEN_BACK.match(text, end):
        return True
    return _NEGATED_AFTER.match(text, end) is not None


#: The writer takes back what was said before.
CORRECTION = re.compile(
    r"\b(?:wait|actually|on second thou?ghts?|correction|scratch that|let me (?:reconsider|correct"
    r"|re-?check|re-?think)|hmm+|sorry|no,|but|however|initially|at first|instead|rather"
    r"|upon (?:closer|further)|on reflection|i was wrong|i made a mistake|final(?:ly)?|therefore"
    r"|changing my|revised?|не+т,|pero|aber|mais|però|но|jedoch|doch|maar|sin embargo|cependant)\b"
    r"|不对|等等|更正|但|しかし|하지만|でも",
    re.I,
)
#: The writer offers another possibility rather than an answer.
HEDGES = re.compile(r"\b(?:also|too|either|or|might|may|could|plausible|possible|as well)\b", re.I)
#: What the writer thought before looking again.
AT_FIRST = re.compile(
    r"\b(?:initially|at first|first (?:glance|sight|look)|my first|auf den ersten blick"
    r"|(?:à|a) (?:première vue|primera vista|prima vista)|на первый взгляд)\b|乍一看|一見",
    re.I,
)
#: A sentence that concludes.
CONCLUSION = re.compile(
    r"\b(?:so|therefore|thus|hence|overall|finally|in conclusion|in summary|to conclude"
    r"|conclusion|accordingly|consequently|leaving|leaves|closest|best|most likely|most closely"
    r"|final|must be|i(?:'d| would)? (?:go|choose|pick|say|select)|matches|definitely|donc"
    r"|(?<=[.,;] )also"
    r"|por lo tanto|итак|значит)\b|因此|所以|综上|よって|따라서",
    re.I,
)

#: The writer says that no option fits.
NONE_FITS = Phrases(
    r"\b(?:none|neither|not any|not one|no one|nothing) of (?!(?:the |these |those )?"
    r"(?:others?|rest|remaining)\b)(?:the|these|those|them|your|any)?\b"
    r"|\bnone (?:match|fit|apply|applies|is correct|are correct)|\bneither (?:is|option|fits)"
    r"|^\W*none\W*$"
    r"|\b(?:answer|option|choice)(?: is)?:? (?:none|not (?:listed|included|given))(?=[.!]|$)"
    r"|\bno (?:correct|matching|suitable|valid|appropriate|right)[\w ,]{0,20}"
    r"\b(?:option|answer|choice)"
    r"|\bno (?:option|choice|answer) (?:fits|matches|describes|is (?:correct|right)|applies)"
    r"|(?:\bnot|n't) (?:match|fit|contain|show|depict|include) any of\b"
    r"|(?:\bnot|n't) (?:among|one of|listed|included|in)(?: among| in)?"
    r" (?:the |these |those |any of the )?"
    r"(?:given |provided |listed |available )?(?:options|choices|answers|list)"
    r"|\b(?:options|choices) (?:do(?:n't| not)|are (?:not|all wrong|all incorrect))"
    r"|\ball (?:of )?(?:the |these )?(?:options|choices|statements) (?:are|seem)"
    r" (?:not|wrong|incorrect|false)\b"
    r"|(?:都不(?:是|对|正确)|以上皆非|没有(?:一个)?正确|没有正确)"
    r"|\bninguna de\b|\baucune? d|\bkeine der\b|\bnessuna d|\bnenhuma d|ни один из",
    (
        *("none", "neither", "not one", "no one", "nothing of", "no option", "no choice"),
        *("no answer", "no correct", "no matching", "no suitable", "no valid", "no appropriate"),
        *("no right", "any of", "not among", "n't among", "one of", "listed", "included", "not in"),
        *("n't in", "is not given", "options do", "choices do", "options are", "choices are"),
        *("options seem", "choices seem", "statements", "ningun", "aucun", "keine der", "nessuna"),
        "nenhuma",
    ),
)
#: The writer says something of all options, so that a label in it chooses none.
ALL_ALIKE = Phrases(
    r"\ball (?:of )?(?:the |these )?(?:options|choices|statements) (?:are|seem)",
    (
        *("options are", "options seem", "choices are", "choices seem", "statements are"),
        "statements seem",
    ),
)
#: Words for yes and no that open an answer to a true-or-false question.
YES = (
    r"yes|yep|yeah|yup|true|correct|right|indeed|affirmative|certainly|absolutely|sí|si|cierto"
    r"|verdadero|oui|vrai|exact|ja|wahr|richtig|(?:das |es )?stimmt(?! nicht)|sim|verdadeiro"
    r"|vero|да|верно|правда|истина|tak|prawda|evet|doğru|đúng|benar|waar|juist|sant"
    r"|是的|是|对|對|正确|正確|真|はい|正しい|예|네|참|맞습니다|हाँ|हां|सही|सत्य|نعم|صحيح"
)
NO = (
    r"(?:absolutely|certainly|definitely|of course|probably|indeed) not"
    r"(?!\s+(?:true|false|correct|incorrect|right|wrong|accurate))"
    r"|not (?:quite|really|exactly)|no|nope|nah|false|incorrect|wrong|untrue|negative"
    r"|falso|non|faux|nein|falsch|(?:das |es )?stimmt nicht|nicht (?:richtig|wahr)|não"
    r"|нет|неверно|ложь|nie|fałsz|hayır|yanlış"
    r"|sai|không|salah|tidak|onwaar|niet waar|nee|falskt"
    r"|不是的|不是|不对|不(?:正确|正確|准确|属实|真实)|不|否|错误|错|錯|假|いいえ|誤り|아니요|아니오|거짓|틀렸습니다"
    r"|नहीं|गलत|असत्य|لا|خطأ"
)

#: What a sentence of Chinese or Japanese says about a statement.
CJK_DENIES = re.compile(r"错误|不正确|不对|不符|有误|不准确|誤り|間違|틀렸|않|正しくない")
CJK_AFFIRMS = re.compile(r"正确|正確|对的|属实|准确|正しい|맞습니다")
