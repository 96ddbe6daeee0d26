"""Words of English that carry grammar rather than a topic, by word class."""

from __future__ import annotations

_PRONOUNS = """
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself
she her hers herself it its itself they them their theirs themselves one ones oneself who whom whose
whoever which whichever what whatever this that these those somebody someone something anybody
anyone anything everybody everyone everything nobody none nothing each other another
"""
_DETERMINERS = """
a an the some any no every either neither both all half much many more most few fewer fewest little
less least several enough such own same
"""
_PREPOSITIONS = """
about above across after against along amid among amongst around as at before behind below beneath
beside besides between beyond by despite down during except for from in inside into like near of off
on onto out outside over past per since through throughout to toward towards under underneath until
till up upon via with within without
"""
_CONJUNCTIONS = """
and or nor but so yet if unless although though because while whilst whereas whether than
"""
_AUXILIARIES = """
am is are was were be been being do does did doing done have has had having can could may might must
shall should will would ought cannot
"""
_ADVERBS = """
not never ever again further then thence here there where wherever when whenever why how however
once twice now just only also too very quite rather really almost nearly already still even always
often sometimes perhaps maybe thus hence therefore otherwise instead else moreover nevertheless
meanwhile indeed together apart away back
"""
# what is left of don't, we'll, I've … where words are runs of letters
_CONTRACTIONS = """
ain aren couldn didn doesn don hadn hasn haven isn ll mightn mustn needn re shan shouldn ve wasn
weren won wouldn
"""

#: Function words of English: pronouns, determiners, prepositions, conjunctions, auxiliaries, common
#: adverbs, and the halves of contractions.
ENGLISH_STOP_WORDS: frozenset[str] = frozenset(
    " ".join(
        (
            _PRONOUNS,
            _DETERMINERS,
            _PREPOSITIONS,
            _CONJUNCTIONS,
            _AUXILIARIES,
            _ADVERBS,
            _CONTRACTIONS,
        )
    ).split()
)
