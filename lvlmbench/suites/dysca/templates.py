"""The sentences that questions are made of. All of them are data; docs/scenes.md explains.

Placeholders: ``{noun}`` is what the vocabulary list calls its entries; ``{claim}`` is the asserted
label as :data:`CLAIMS` writes it; ``{statement}`` a whole statement; ``{aspects}`` the aspects
that a scene has. A statement has the claim as its object or complement, never as its subject, so
that no verb has to agree with it.
"""

from __future__ import annotations

#: Multiple-choice questions, by what is asked.
QUESTIONS: dict[str, tuple[str, ...]] = {
    "style": (
        "What is the visual style of this image?",
        "Which style is this image made in?",
        "How would you name the style of this picture?",
    ),
    "background": (
        "What is the background of this image?",
        "Which background does this image have?",
        "What kind of place or backdrop does this picture have?",
    ),
    "color": (
        "What color is the object in this image?",
        "Which color does the object in this picture have?",
        "What is the main color of the object shown?",
    ),
    "animal": (
        "Which animal is shown in this image?",
        "What animal can be seen in this picture?",
        "What kind of animal does this image show?",
    ),
    "object": (
        "Which object is shown in this image?",
        "What object can be seen in this picture?",
        "What kind of object does this image show?",
    ),
    "plant": (
        "Which plant is shown in this image?",
        "What plant or part of a plant can be seen in this picture?",
        "What kind of plant does this image show?",
    ),
    "food": (
        "Which food is shown in this image?",
        "What food can be seen in this picture?",
        "What kind of food does this image show?",
    ),
    "age": (
        "Which {noun} does the person in this image belong to?",
        "What is the {noun} of the person shown?",
        "About how old does the person in this picture look?",
    ),
    "gender": (
        "What is the {noun} of the person in this image?",
        "Which {noun} does the person in this picture appear to be?",
        "What {noun} is the person shown?",
    ),
    "expression": (
        "Which {noun} does the person in this image have?",
        "What does the face of the person in this picture express?",
        "What is the {noun} of the person shown?",
    ),
    "race": (
        "What is the {noun} of the person in this image?",
        "Which {noun} does the person in this picture have?",
        "Which of these describes the {noun} of the person shown?",
    ),
    "celebrity": (
        "Who is the person in this image?",
        "Which celebrity does this picture show?",
        "What is the name of the person shown?",
    ),
    "action": (
        "Which {noun} is shown in this image?",
        "Which activity does this picture show?",
        "What is going on in this picture?",
    ),
    "text": (
        "What word is written in this image?",
        "Which word can be read in this picture?",
        "What does the text in this image say?",
    ),
    "clothes": (
        "Which {noun} is shown in this image?",
        "What {noun} can be seen in this picture?",
        "Which {noun} does this image show?",
    ),
    "movie": (
        "Which {noun} is the scene in this image from?",
        "What {noun} does this picture show a scene of?",
        "What is the title of the {noun} that this image shows?",
    ),
    "anime": (
        "Which {noun} is the scene in this image from?",
        "What {noun} does this picture show a scene of?",
        "What is the title of the {noun} that this image shows?",
    ),
    "tv_show": (
        "Which {noun} is the scene in this image from?",
        "What {noun} does this picture show a scene of?",
        "What is the title of the {noun} that this image shows?",
    ),
    "landmark": (
        "Which {noun} is shown in this image?",
        "What {noun} can be seen in this picture?",
        "What is the name of the {noun} that this image shows?",
    ),
    "profession": (
        "What is the {noun} of the person in this image?",
        "Which {noun} does the person in this picture have?",
        "What does the person shown do for a living?",
    ),
}

_SHOWS = (
    "The image shows {claim}.",
    "You can see {claim} in the image.",
)
_TITLE = (
    "The image shows a scene from the {noun} {claim}.",
    "The scene in the image comes from the {noun} {claim}.",
)

#: True-or-false statements, by what is asked.
STATEMENTS: dict[str, tuple[str, ...]] = {
    "style": ("The image is made in {claim}.", "The image is a picture in {claim}."),
    "background": (
        "The background of the image is {claim}.",
        "The image has {claim} in the background.",
    ),
    "color": ("The object in the image is {claim}.", "The main color of the object is {claim}."),
    "animal": _SHOWS,
    "object": _SHOWS,
    "plant": _SHOWS,
    "food": _SHOWS,
    "age": ("The image shows {claim}.", "The person in the image is {claim}."),
    "gender": (
        "The person in the image is {claim}.",
        "The {noun} of the person in the image is {claim}.",
    ),
    "expression": (
        "The person in the image looks {claim}.",
        "The {noun} of the person in the image is {claim}.",
    ),
    "race": (
        "The {noun} of the person in the image is {claim}.",
        "The person in the image has this {noun}: {claim}.",
    ),
    "celebrity": ("The person in the image is {claim}.", "The image shows {claim}."),
    "action": _SHOWS,
    "text": (
        "The word written in the image is {claim}.",
        "The text in the image says {claim}.",
    ),
    "clothes": _SHOWS,
    "movie": _TITLE,
    "anime": _TITLE,
    "tv_show": _TITLE,
    "landmark": _SHOWS,
    "profession": ("The image shows {claim}.", "The person in the image is {claim}."),
}

#: How a statement is put to the model.
LEADS = (
    "True or false? {statement}",
    "Is this statement about the image true or false? {statement}",
    "Is it true or false? {statement}",
)

#: How a claim is written: ``label``, ``singular`` (with its article), ``counted`` (singular or
#: plural, as the scene has it), ``phrase`` (the entry's own), ``indefinite`` (its phrase with a
#: or an), ``quoted``, or ``style`` ("pixel art style").
CLAIMS: dict[str, str] = {
    "style": "style",
    "background": "singular",
    "color": "label",
    "animal": "counted",
    "object": "counted",
    "plant": "counted",
    "food": "counted",
    "age": "indefinite",
    "gender": "label",
    "expression": "label",
    "race": "label",
    "celebrity": "label",
    "action": "phrase",
    "text": "quoted",
    "clothes": "singular",
    "movie": "quoted",
    "anime": "quoted",
    "tv_show": "quoted",
    "landmark": "singular",
    "profession": "phrase",
}

#: Free-form questions (Dysca, section 3.4).
DESCRIBE = (
    "Describe this image. Say something about {aspects}.",
    "Write a short description of this image that covers {aspects}.",
    "What does this image show? Include {aspects} in your description.",
)

#: What a free-form question calls each aspect; ``{noun}`` is the list's noun.
ASPECTS: dict[str, str] = {
    "animal": "the {noun}",
    "object": "the {noun}",
    "plant": "the {noun}",
    "food": "the {noun}",
    "number": "how many there are",
    "color": "its {noun}",
    "age": "the person's {noun}",
    "gender": "the person's {noun}",
    "race": "the person's {noun}",
    "expression": "the person's {noun}",
    "celebrity": "who the person is",
    "action": "what is going on",
    "carrier": "what the text is written on",
    "text": "the word that is written there",
    "clothes": "the {noun}",
    "movie": "the {noun} it is from",
    "anime": "the {noun} it is from",
    "tv_show": "the {noun} it is from",
    "landmark": "the {noun}",
    "profession": "the person's {noun}",
    "background": "the {noun}",
    "style": "the {noun}",
}

#: Subjects of prompts and captions, by foreground list; other lists are written as ``counted``.
#: ``{label}``, ``{phrase}`` and ``{noun}`` are the entry's and the list's.
SUBJECTS: dict[str, str] = {
    "action": "{phrase}",
    "profession": "{phrase}",
    "carrier": "{phrase}",
    "movie": 'a scene from the {noun} "{label}"',
    "anime": 'a scene from the {noun} "{label}"',
    "tv_show": 'a scene from the {noun} "{label}"',
}

#: A person: the order of the attributes' phrases.
PERSON_SUBJECT = ("expression", "race", "gender", "age")
