//! Words that speak to an AI assistant and not to a patient.
//!
//! The first table is of plain orders, which no profile needs: they are errors. The second is of phrases that a profile
//! could have for a good reason: they are warnings. Both are crude. Somebody who wants to deceive an assistant finds other
//! words; what protects assistants is that the tools' descriptions call profiles data.

/// Orders.
pub(super) const PLAIN: &[&str] = &[
    r"(?i)(?-u:\b)(?:ignore|disregard|forget|override)\s+(?:(?:all|any|the|your|these|of)\s+)*(?:previous|prior|above|earlier|preceding|other|system)\s+(?:instructions?|prompts?|messages?|rules)",
    r"(?i)(?-u:\b)system prompt(?-u:\b)",
    r"(?i)(?-u:\b)you are (?:now )?an? (?:ai|assistant|language model|chatbot)(?-u:\b)",
    r"(?i)(?-u:\b)(?:ai|virtual) (?:assistants?|agents?|models?)[:,]?\s+(?:must|should|please|always|never)(?-u:\b)",
    r"(?i)(?-u:\b)(?:dear|note to|attention|message to) (?:all |any )?(?:ai|ai (?:assistants?|models?|agents?)|language models?|llms?|chatgpt|claude)(?-u:\b)",
    r"(?i)<\|[a-z_]+\|>",
    r"(?i)\[/?INST\]",
];

/// Phrases.
pub(super) const PHRASES: &[&str] = &[
    r"(?i)(?-u:\b)(?:system|assistant|developer)(?: prompt| message)? ?:\s*(?:you (?:must|should|have to)|do|please|always|never|must)(?-u:\b)",
    "(?i)(?-u:\\b)if you(?: a|'|\u{2019})re (?:an? |the )?(?:ai|assistant|language model|llm|bot|chatbot|claude|chatgpt|gpt|gemini|copilot)(?-u:\\b)",
    r"(?i)(?-u:\b)as an (?:ai|llm|assistant),? (?:you|always|never|please|reading)(?-u:\b)",
    r"(?i)(?-u:\b)(?:ai|llm|chatgpt|claude|gemini|copilot|assistant|model)s? (?:reading|processing|summari[sz]ing) (?:this|these|the)(?-u:\b)",
    "(?i)(?-u:\\b)(?:always|only|never|do not|don['\u{2019}]t|must) (?:recommend|rank|mention|suggest|list|show|book) (?:this|dr|only|any other|the other|other|another)(?-u:\\b)",
    r"(?i)(?-u:\b)you (?:must|will now|have to) (?:now |always |never |only )?(?:recommend|respond|reply|answer|say|tell|obey|comply|pretend|output|book|rank|ignore|reveal)(?-u:\b)",
    r"(?i)(?-u:\b)(?:ask|request|collect|send|submit|post|forward|enter|obtain)(?-u:\b)[^.\n]{0,60}(?-u:\b)(?:date of birth|birth ?date|social security|credit card|card number|password|insurance (?:number|id))",
    r"(?i)(?-u:\b)(?:new|updated|hidden|secret) instructions?(?: for|:| follow)|(?-u:\b)(?:your (?:new|real) (?:task|instructions?|orders?) (?:is|are)|follow the following instructions)(?-u:\b)",
    r"(?i)(?-u:\b)from now on,? you (?:are|will|must|answer|respond)(?-u:\b)",
    r"(?i)(?-u:\b)(?:reveal|repeat) your (?:prompt|instructions|rules|configuration)(?-u:\b)",
    r"(?i)(?-u:\b)(?:call|use|invoke) the [a-z_]{1,40} (?:tool|function|plugin)(?-u:\b)",
    r"(?i)(?-u:\b)(?:ignor[ae]r?|ignorad|olvid[ae]r?|omit[ae]r?)\s+(?:todas\s+)?(?:las|tus|sus|estas)\s+(?:instrucciones|reglas|indicaciones)|(?-u:\b)ignore[mz]?\s+(?:todas\s+)?as\s+instru",
    r"(?i)(?-u:\b)(?:eres|usted es) una? (?:ia|asistente|modelo|inteligencia artificial)(?-u:\b)",
    r"(?i)(?-u:\b)(?:debes|debe|siempre|solo|s\u{f3}lo)\s+(?:recomendar|recomienda|responder|decir|mencionar)(?-u:\b)|(?-u:\b)recomienda (?:siempre|solo|s\u{f3}lo)(?-u:\b)",
    r"(?i)(?-u:\b)(?:ignorez|oubliez)\s+(?:toutes\s+)?(?:les|vos|ces)\s+(?:instructions|consignes|r\u{e8}gles)",
    r"(?i)(?-u:\b)(?:ignoriere?n?|vergiss|missachte)\s+(?:sie\s+)?(?:alle\s+)?(?:(?:vorherigen|bisherigen|vorigen|diese|deine|ihre)\s+)?anweisungen(?-u:\b)",
];
