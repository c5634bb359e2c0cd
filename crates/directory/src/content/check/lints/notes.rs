//! Notes that an editor left in a text: sentences, or words in brackets, that have nothing but an editor's words, such as
//! "Waiting on her bio."

/// Words of such notes and of other sentences. A macro, because `concat!` takes nothing else.
macro_rules! usual {
    () => {
        concat!(
            r"the|this|that|it|her|his|him|their|its|she|he|is|are|be|been|to|from|of|for|on|in|with|by|and|",
            r"or|if|as|more|still|yet|not?|do|don't|new|old|our|last|final|full|first|rough|short|long|please|",
            r"pls|will|must|should|needs?|needed|waiting|awaiting|wait|ask|check|confirm|verify|send|sent|",
            r"get|received?|add(?:ed)?|insert|updated?|finish(?:ed)?|completed?|write|written|edit(?:ed)?|",
            r"shorten(?:ed)?|fix|copy|copied|see|use|follows?|come|coming|soon|later|shortly|next|week|month|",
            r"tomorrow|here|missing|available|ready|pending|work|progress|proceso|website|before|current|about|",
            r"text|info|information|informaci[oó]n|details|detalles|faltan?|hobb(?:y|ies)|rest|me|us|v?[0-9]+|",
            r"la|el|los|las|sus?|una?|del?|con|por|para|al|a las?|despu[eé]s|en|y|se|lo|m[aá]s|a[uú]n|todav[ií]a|",
            r"favor|aqu[ií]|va|texto|doctora?|aprobaci[oó]n|(?:dra?\.?|per|from|with|ask|al?) (?-i:[A-Z])[a-záéíóúñ]+"
        )
    };
}

/// Words of such notes alone.
macro_rules! own {
    () => {
        concat!(
            r"bio(?:graphy)?|biograf[ií]a|headshot|photo|foto|picture|draft|borrador|(?:get|copy|copied|pull) (?:this )?from|",
            r"profile|description|version|cv|tbd|tk|approval|work in progress|hear back|under construction|",
            r"for the rest|stay tuned|to be (?:added|announced|completed|confirmed|continued|edited|reviewed|",
            r"shortened|updated|written)|to (?:come|follow)|before (?:posting|publishing|going live)|(?:finish|",
            r"update|add|complete|write|edit)(?: (?:this|more|it|the rest))? (?:later|soon|here|next week)|",
            r"please (?:add|complete|confirm|edit|finish|fix|review|update|verify)|(?:needs?|needs? to) (?:add [a-z]+|",
            r"review|approval|editing|proofreading)|(?:info|information|details|more) (?:coming|later|pending|",
            r"soon|missing)|fill (?:this )?in|same as(?: above| before)?|is this (?:right|correct|current)|",
            r"do(?: not|n't) (?:publish|post)|more here|verify with|pendiente|provisional|por (?:completar|",
            r"confirmar|definir|escribir|revisar|terminar)|completar|faltan? (?:revisar|completar|confirmar)|",
            r"en construcci[oó]n|pr[oó]ximamente|pronto|m[aá]s adelante|continuar[aá]|(?:confirmar|consultar|",
            r"preguntar|revisar) (?:con|al?)"
        )
    };
}

macro_rules! note {
    ($more:literal) => {
        concat!(
            "(?:(?:",
            usual!(),
            ")[ ,:]+(?:[-–] )?(?:(?:an?|",
            usual!(),
            ")[ ,:]+(?:[-–] )?)*)?",
            "(?:",
            own!(),
            $more,
            ")",
            "(?:[ ,:]+(?:[-–] )?(?:an?|",
            usual!(),
            "|",
            own!(),
            "))*"
        )
    };
}

pub(super) const SENTENCE: &str = concat!(
    r#"(?i)(?:^|= ?["']+|[.!?…"*][ \n]+|\n)(?:"#,
    note!(""),
    r#"[ \n.!?…*]*(?:$|["']+[ \t]*[#\r\n]|\n|[.!]))"#
);
pub(super) const IN_BRACKETS: &str = concat!(
    r"(?i)[(\[] ?(?:",
    note!(
        "|(?-i:[A-Z][a-z]+) to (?:approve|check|confirm|edit|review)|confirm|verify|double[- ]check|check|ask|add|insert|update|needs?|review|waiting (?:for|on)|awaiting"
    ),
    r") ?[.!?]*[)\]]|\((?:sp|spelling|year|date|name|correct|right|is this [a-z ]+|[12][0-9]{3})?\?+\)"
);
/// What chat assistants and mails write around a text.
pub(super) const OF_ASSISTANTS: &str = concat!(
    r#"(?i)(?:^|["'*.!?…\n] ?)(?:(?:sure|certainly|of course|absolutely)[!,.] here(?:['’]s| is| are) |"#,
    r"here(?:['’]s| is) (?:an?|the|your|my) (?:[a-z-]+ ){0,3}(?:bio|biography|version|draft|rewrite|description)(?: of|:)|",
    r"let me know if (?:you|this|there|any)|i hope this helps|as an ai(?: language model| assistant|,)|",
    r"(?:hi|hello|hey|dear|hola) (?-i:[A-Z])[a-záéíóúñ]+, (?:here|this|please|attached|aqu[ií])|",
    r"¡?claro!? aqu[ií] (?:tienes|tiene|est[aá])|aqu[ií] (?:tienes|tiene|est[aá]) (?:la|una|tu|su) (?:biograf|versi)|",
    r"espero que (?:esto )?(?:te|le) (?:sirva|ayude|sea)|av[ií]s[ae]me si|h[aá][gz]a?me saber si)"
);
