// What a sentence says besides its wishes, in English and in Spanish: questions, and what is refused. Fetched for the
// sentences that have such words.

import { DAY, mondayOf, written } from "./when.js";
import { isFilling, TITLES, WEEKDAYS } from "./words.js";

// Questions about money and booking.

const UNINSURED = "(?:no|not|without|lost|sin|dont|doesnt|cant|perdi)(?: (?:con|have|tengo|tiene|tenemos|cuento|got|el|puedo|pagar|by|any|my|mi|medical|covered|ningun|una?|afford|health))* (?:insurance|coverage|insured|seguros?|aseguranza|cobertura)";
const VISIT = "(?:appointments?|appts?|apt|visits?|consultations?|booking)";
const MY = "(?:(?:an?|my|the|our|this|one) )*";
const BOOK = "(?:book|(?:re)?schedule|reserve|cancel)(?:ing)?";
const HACER = "(?:hago|hacer|pido|pedir|(?:reserv|agend|sac|program|solicit|cancel)(?:o|ar))";
const CITA = "(?:(?:una|la|mi|su|de) )*(?:citas?|consultas?|turnos?|fecha|hora)";
const ON_DAY = "(?: (?:del?|on|for|this|next|el|para))*(?: (?:proximo|hoy|manana|tomorrow|[a-z]{2,7}(?:day|es|do|go)))?";
const CANT = "(?:cant|couldnt|wont be able to|will not be able to|unable to|not able to|not going to|not gonna|wont)";
const NO_PUEDO = "no (?:puedo|podr(?:e|ia)|voy(?: a(?: poder)?)?|alcanzo a)";
const BOOKING = [
  // Alone, these are about an appointment that one has.
  `^(?:[a-z]+ ){0,2}(?:${CANT} (?:make it|come|attend)|${NO_PUEDO} (?:ir|asistir|venir)|(?:not|wont be) coming)${ON_DAY}(?: ,)?$`,
  `${CANT} (?:make|(?:be )?com(?:e|ing) to|go to|attend|keep|get to|be at) (?:it to )?${MY}${VISIT}${ON_DAY}|call off|(?:dont|no longer) (?:need|want) my (?:[a-z]+day )?${VISIT}`,
  `(?:ya )?${NO_PUEDO} (?:ir|asistir|llegar|acudir|venir|presentarme) (?:a )?${CITA}${ON_DAY}|ya no quiero (?:mi|la) cita|(?:mi|la) cita${ON_DAY} ya no (?:la )?quiero`,
  `(?:how|where) (?:can|do|does|would|could|should|to) (?:(?:i|we|you) )?(?:${BOOK}(?: ${MY}${VISIT})?|(?:make|get|set up|request|change|move) ${MY}${VISIT})`,
  `(?:can|could|may|do|should) (?:(?:i|we|you|still|just|have|need|to|call) )*(?:${BOOK}(?: ${MY}${VISIT})?|(?:make|set up|change|move) ${MY}${VISIT})(?: online)?`,
  `(?:cancel[a-z]*|resched[a-z]*|reshed[a-z]*|postpone|rebook)(?: ${MY}(?:[a-z]+days? )?${VISIT})?|(?:change|move|switch|miss|missed) ${MY}(?:[a-z]+days? )?${VISIT}(?: from [a-z]+day)?`,
  "(?:book|booking|schedule|scheduling) (?:online|by phone)|online (?:booking|scheduling)|(?:phone|telephone|contact|your) (?:number|info[a-z]*)|call(?: you)?(?=$)|(?:become|be) an? (?:new )?patient|register|(?:talk|speak) (?:to|with) (?:an? |the |real )*(?:person|human|someone(?! ab)|office)",
  `(?:como|donde|puedo|se puede|podria) (?:(?:puedo|se puede|se|debo|podria) )*${HACER}(?: ${CITA})?(?: en linea)?`,
  `(?:(?:cancel|anul)(?:ar|o|e|acion)|quitar|borrar|posponer|reprogram[a-z]*|reagend[a-z]*)(?: ${CITA})?${ON_DAY}|(?:cambi|mov|muev)(?:ar|er|o|e) (?:de )?${CITA}(?: del? [a-z]+(?:es|do|go))?|(?:numero de |su )?telefono|hablar con (?:una? |la )?(?:persona|alguien(?! so)|oficina)|llamar(?:les)?(?=$)`,
];

const PLANS = "(?:what|which|que|cuales) (?:(?:health|tipos? de|kinds? of) )*(?:insurances?|plans?|seguros?|planes|aseguranzas?)|(?:take|accept|aceptan|toman)(?: (?:my|any|mi|algun|health))* (?:insurance|seguros?|aseguranza)";

const WHEN = "(?: (?:today|tomorrow|right now|now|hoy|manana|ahora|ahorita|(?:on|los) [a-z]+s))?";
const HELD = "(?: (?:be|in|en|by|por|on|or?|persona?|video|phone|online|presencial(?:es)?|linea|telefono))+";
/** Only the clinic can answer these. */
const ASKING = [
  `(?:what times?|when) (?:do|are|is) (?:you|(?:your|the) (?:office|clinic)) (?:open|closed?)${WHEN}|are you (?:guys )?(?:open|closed)(?! to(?![^ ]))${WHEN}|(?:your|office|clinic) hours|where (?:is|are) (?:you|your) (?:located|office|clinic)`,
  `(?:is|are|will) (?:(?:my|the|your|all) )?(?:visits?|appointments?)${HELD}|(?:(?:las|la|mi|mis|sus) )?(?:citas?|consultas?) (?:son|es)${HELD}`,
  `a que hora (?:abren?|cierran?)${WHEN}|(?:sus?|el|los) horarios?|estan abiertos${WHEN}|donde (?:estan|quedan)`,
  "(?:not? |(?:do you|can i|puedo|hay|tienen) (?:[a-z]+ ){0,2})?(?:in person|en persona|presencial(?:es)?)|not? (?:virtual|online)",
];
const LEAVE = "(?:(?:whos|who is|quien(?:es)? estan?) )?(?<!(?:im|am|estoy) (?:a?way )?)(?:on|de|(?:back|return[a-z]*) from) (?:(?:her|his|maternity) )*(?:leave|vacations?|licencia|permiso|vacaciones)(?: cuando vuelve)?";
const STEM = 6;
/** Who takes "my plan" can be found once it is known which one that is. */
const MY_PLAN = "(?:tak(?:es?|ing)|accept(?:s|ing)?|covered by|acept[aeo]n?|tom[aeo]n?|cubr[ae]n?) (?:my|mi)(?: (?:health|medical|insurance|plan|coverage|seguro|aseguranza|medico|de salud))+";

const YOUNG = "kids?|child|children|teen(?:ager)?s?|adolescente?s?|minors?|bab(?:y|ies)|toddlers?|nin[oa]s?|menores|bebes?";
const MINORS = [
  "(?<!(?:hace|despues|tras|durante|por|llevo) (?:de )?)(?:(?:de|tengo|tiene) )?(\\d\\d?) (?:(?:years?|yrs?) olds?|yo|y o|anos)", "(?:i am|im|s?he(?:s| is)|(?:my )?(?:daughter|son|kid|child|teen|girl|boy)(?: is| ,)?|mi (?:hij[oa]|nin[oa])(?: tiene| de| ,)?) (\\d\\d?)(?= ,| and| y| needs?| she| he| who| necesita| no| que| con| with| has|$)",
  `(?:see|treat|take|accept|atienden|tratan|aceptan|ven) (?:a )?(?:${YOUNG})|(?:(?:for|para) (?:un|una)|my|mi|mis) (?:(?:little|young|teenage) )?(?:${YOUNG})(?! of mine)`,
  "pa?ediatr[a-z]*", "(?:my )?(?:teen(?:age[dr]?)?s?|adolescente?s?|menores)(?: (?:daughter|son|girl|boy))?|(?:hij[oa]|nieto|nieta) adolescente",
];
const ADULT = 18;
/** Takes who is a child, of whom only the clinic can speak, unless an interest of its own does. */
export const readMinors = (line, found, { meaningOf }) => {
  for (const pattern of MINORS) line.each(pattern, ([all, age]) => {
    if (age >= ADULT || all.split(" ").some((word) => meaningOf(word)?.interests)) return false;
    found.isMinor = true;
  });
};

/** Takes ZIP codes, and questions about money and booking; returns whether something of booking is said besides. */
export const readQuestions = (line, found, { types, professions, zips }, lang, lexicon) => {
  // A ZIP code stands for its state, as a city does.
  line.each("(\\d{3})\\d\\d(?: - \\d+)?", ([, digits]) => {
    const [, code] = zips.findLast(([begin]) => begin <= digits);
    return code > "" && found.places.push({ codes: [code], isCity: true }) > 0;
  });
  // "Not in person" is how visits are.
  for (const pattern of ASKING) line.each(pattern, ([all]) => void (found[/person|presen|online|virtual/.test(all) ? "inPerson" : "isAsking"] ||= !/^no.*p/.test(all)));
  line.each(LEAVE, () => (found.isLeave = true));
  for (const [pattern, ...names] of professions) line.each(`(?<!(?:not?|sin) (?:an? )?)(?:${pattern})`, ([typed]) => {
    const isOurs = Object.values(types).flat().some((name) => name.startsWith(names[0].slice(0, STEM)));
    if (!isOurs) found.profession = names[Number(lang === "es")];
    return !isOurs && !lexicon.meaningOf(typed);
  });
  line.each(UNINSURED, () => (found.selfPay = true));
  line.each(MY_PLAN, () => (found.isMyPlan = true));
  line.each(PLANS, () => (found.isPlans = true));
  const isBooking = line.has("book|booking|schedule|make (?:an? )?(?:appointment|appt)|reserv[a-z]*|agend[a-z]*|(?:hacer|sacar|pedir) (?:una )?cita");
  if (line.has("(?<!(?:not?|isnt|no es) )urgen[a-z]+")) found.isUrgent = found.booking = true;
  // Beside wishes, the day that can't be met is left out.
  if (line.has(`${CANT} make it`) || line.has(`${NO_PUEDO} asistir`)) found.booking = true;
  // Who cancels asks for no day.
  found.isOver = line.has("cancel(?:ing|ar|o)?|call off|anular");
  for (const pattern of BOOKING) line.each(pattern, () => (found.booking = true));
  return isBooking;
};

// English that isn't spoken.
const NO_ENGLISH = "(?:(?:not?|dont|doesnt|cant|never) (?:speak|understand)|speaks?)(?: (?:any|much|good|very|no|only|a|little))* english(?: (?:very|well|good|at|all))*|english (?:is not|isnt|is bad)(?: (?:my|first|language|good))*|(?:non|limited) english(?: speaker)?";
export const readLanguages = (line, found) => {
  line.each(NO_ENGLISH, ([all]) => !/^speaks?(?: only)? english/.test(all) && void (found.noEnglish = "en"));
};

// Those who were here before.

const AGO = "(?:again|before(?= ,|$)|already|twice|last [a-z]+|[a-z0-9]+ [a-z]+ ago|otra vez|de nuevo|antes|(?:el|la) [a-z]+ pasad[oa]|hace [a-z0-9]+ [a-z]+)";
const BEFORE = `(?:(?:see|saw|seen) (?:her|him|them)|(?<!not )(?:was|been) (?:seen|here)|ver(?:l[aoe]|me)|(?:l[aoe]|me) (?:vio?|atendi(?:o|eron)|quiero ver)|ya fui)(?: ${AGO})+|coming back|volver (?:con|a ver[a-z]*)|ya (?:la vi|me vio|me atendio|estuve)`;
/** Takes what says that the patient was seen before; returns whether something does. Someone is named: "a doctor" may be anyone. */
export const isSeenBefore = (line, { names }) => {
  let isSeen = false;
  line.each(`${BEFORE}|(?<=(?:see|saw|seen|ver) ([^,·]+) )${AGO}`, ([, typed]) => (!typed || typed.split(" ").some((word) => names.has(word))) && (isSeen = true));
  return isSeen;
};

// Refusals: "no men", "anything but mornings". A negator is a mark in the line, and what follows it is left out if the form can
// say so; otherwise the page says that it can't.

const ANY = "(?:(?:any|every) ?(?:one|body|thing|time|day|gender|doctor)|all|cualquier(?:a| dia| hora| cosa)?|todo|todos)";
/** After these, "not" and "don't" refuse nothing. */
const HARMLESS = "respond|answer|know|too|think|understand|find|able|feeling|so|see|feel|been|urgent|have an?|wait|had|seen|earlier|later|sure|get|sleep|yet|sleeping|please";
const HARMLESS_NO = "earlier|later|mas tarde|one|problem|estoy segur[oa]|ha|me|matter|more|encuentro|hay|consigo|he|entiendo|need|idea|preference|se";
/** What can't be done is about times: "I can't get a doctor" wants one. */
const UNABLE = "(?:cant|couldnt|wont|unable to|not able to|no puedo|no podre)(?: (?:do|make it|make|come in|come|attend|go|ir|venir|asistir))?|(?<!is |are )not (?:available|free)|i work|im working|im at work|im busy|(?<!(?:del?|mi|el) )trabajo|estoy ocupad[oa]";
/** Nothing is asked for: it doesn't have to be a woman, and you don't take Aetna? */
const SOFT = "(?:would not|wouldnt) mind|(?:dont|doesnt|do not|does not) (?:mind|care(?: if)?|matter(?: if)?|have to|need(?: to)?)|not (?:necessarily|only|just)|no tiene que|no importa(?: si)?|me da igual(?: si)?|no (?:solo|solamente)";
const ASKED = "(?:you|they|she|he|ustedes) (?:dont|do not|doesnt|no) (?:take|accept|toman|aceptan)|(?<=do you |does (?:dr )?[a-z]+ )not|(?<![a-z0-9] )(?:dont|doesnt|isnt|arent) (?:you|they|she|he|dr|doctor)";
/** What people don't have is a plan or an illness. */
const LACKING = "(?:dont|doesnt|do not|does not|no longer|havent) (?:have|got|use)(?! an?(?![^ ]))|(?:have|has|had|with) no|no (?:tengo|tiene|tenemos|cuento con|uso)";
const REFUSED = [
  "(?:not|dont|doesnt|wouldnt|no)(?: (?:feel|be|me|siento))* (?:comfortable|comod[oa]|late|acomoda|gustaria)(?: (?:con|with|seeing|ir))*|uncomfortable with|me incomoda",
  `(?:${ANY} )(?:but|menos|except|excepto|salvo)`, "(?:other|rather) than|instead of|except(?: for)?|avoid(?:ing)?|hate|odio|excepto|salvo|en (?:vez|lugar) del?|evitar|nothing(?= (?:before|after|in|on)(?![^ ]))|nada(?= (?:antes|despues|en|por)(?![^ ]))|never(?! (?:been|had|seen|tried|taken|gone)(?![^ ]))|neither|nor|nunca|tampoco|ni|non|nada de|(?:que )?no me (?:atiend[ae]|vea|toque)n?|rather not(?: see| have)?|(?:que no|nadie que) sean?|no(?:body| one) who is|no me (?:gustan?|sirven?)",
  `(?<!(?<![^ ])(?:if|or|why|whether) )(?:not|dont|doesnt|didnt|isnt|arent|aint|wouldnt)(?! (?:${HARMLESS})(?![^ ]))`,
  "(?<!(?:al|lo|mas o|en) )menos(?! (?:de|que|mal)(?![^ ]))", "refuse(?: to see)?|no longer|no (?:vivo|estoy|soy|es|quiero|busco)",
];
const NO = `without|sin|(?<!(?:why|how come|there|theres|there are|there is|hay) )no(?! (?:${HARMLESS_NO})(?![^ ]))`;

/** A visit without video, in the words of those who don't want it. */
export const VIDEOLESS = "(?:not?|without|dont|hate|sin|en vez de|instead of)(?: (?:any|do|quiero|need|want|be|like|by|gustan?|hacer|por|over|the|an?|el|las?|have|me|llamadas? de|una?|on|use|to))* (?:videos?|videocalls?|cameras?|zoom|facetime|videollamadas?|camara)(?: (?:calls?|chats?|visits?|appointments?))?";

const SMALL_START = /^(?:(?:dra?\.?|on|in|at|the|an?|el|la|los|las|en|por|de|una?)\s+)+/i;

/** "Mondays don't work for me." */
const AFTER = `(?:(?:i|yo) )?(?:${UNABLE}|no)(?= ,|$)|(?:is not|are not|isnt|arent) (?:good|possible|great)|(?:dont|doesnt|wont|do not|does not) work|(?:is|are) (?:no good|bad|out)|no me (?:sirven?|funcionan?|convienen?|quedan? bien)(?= ,|$)`;

const TIMES = ["from", "to", "weekdays", "part", "after", "before"];
/** "Male doctors" are one, and so is "a doctor who is a man". */
const KINDS = ["gender", "type"];
const isKind = (left) => KINDS.some((kind) => kind in left.values);
const LINKS = new Set("an sean who is un whos that sea are es una a que".split(" "));
/** The kind that a word of this place belongs to. */
const kindBefore = (tokens, at) => {
  const left = tokens.slice(0, at).findLast(({ word }) => !LINKS.has(word))?.left;
  return left && isKind(left);
};
const REFUSALS = { "¬": () => true, "¬unable": (name, isNext) => TIMES.includes(name) && isNext(), "¬lacking": (name) => ["plan", "need"].includes(name), "¬no": (name, isNext) => name !== "state" || isNext(), "¬soft": (name) => name !== "need" && "softly", "¬after": () => false, "¬not": () => false };
/** Before what is refused, "I don't want him on Friday" has such words; a clause of its own begins with others. */
const CLAUSE = new Set("im we necesito yo tengo who i because since need busco she if pero y e id but and he ive sino porque".split(" "));
const SMALL = new Set("during on en at any el de la in los the las por for".split(" "));
const OR = new Set("u and o y e or".split(" "));
/** These miss what they name: "no energy". */
const MISSED = /^(?:sex drive|menstrua\w*|energy|(?:my )?period[os]?|appetite|apetito|sleep\w*|energia|libido|dormir|sueno|deseo|ganas de nada|regla)$/;

const WEEK = "(?:(?:this|next|esta|la (?:proxima|siguiente)) (?:week|semana)|(?:la )?semana que (?:viene|entra)|la proxima)";
/** "Not next week, the week after." */
const WEEKS = `(?:(?:but |pero )?not? ${WEEK}|${WEEK} (?:no|doesnt work))(?: (?:,|but|pero|sino))+ (?:next|(?:the |la )(?:week after|following|que (?:viene|sigue)|siguiente|proxima|otra))(?: (?:week|semana|next|does))*`;

/** Negators become marks of the line; returns whether it has some. */
export const takeNegators = (line, today) => {
  line.each(WEEKS, ([all]) => `@${mondayOf(today) + (/this|esta/.test(all) ? 7 : 14)}w`);
  line.each("not (?:until|till)|no hasta", () => "from");
  // "A nurse no, a doctor."
  line.each("(?<!(?:o|or) )no(?= , (?!gracias|thanks))", (_, at) => line.tokens[at + 1].typed === "," && "¬not");
  line.each(AFTER, () => "¬after");
  line.each(ASKED, () => true);
  line.each(SOFT, () => "¬soft");
  line.each(LACKING, () => "¬lacking");
  line.each("(?:wont|will not) see", () => "¬");
  line.each(UNABLE, () => "¬unable");
  for (const pattern of REFUSED) line.each(pattern, () => "¬");
  line.each(NO, () => "¬no");
  return line.tokens.some(({ word }) => word in REFUSALS);
};

/** Whether a line refuses what it has at a place: the value of a field, or a "need"; softly if nothing is to be left out. */
export const isRefused = ({ tokens }, at, count, name, phrase = "") => {
  if (MISSED.test(phrase)) return false;
  if (tokens[at + count]?.word === "¬not") return true;
  if (tokens[at + count]?.word === "¬after" && TIMES.includes(name)) return true;
  if (KINDS.includes(name) && kindBefore(tokens, at)) return true;
  let hasOr = false;
  for (let before = at - 1; before >= 0; before -= 1) {
    const { word, isMark, left } = tokens[before];
    if (left) return hasOr && (name in left.values || (KINDS.includes(name) && isKind(left)));
    if (word in REFUSALS) return !hasOr && REFUSALS[word](name, () => tokens.slice(before + 1, at).every(({ word }) => SMALL.has(word)));
    if (OR.has(word)) hasOr = true;
    else if (isMark || CLAUSE.has(word) || !(isFilling(word) || TITLES.has(word))) return false;
  }
  return false;
};

const nextDay = (day, more = 1) => written(Date.parse(day) / DAY + more);
/** The fields that say everything but these values; undefined if the form can't. */
const othersOf = ({ from, to, weekdays, part, after, before, ...more }, fields, today, genders, types) => {
  const isFree = (...names) => names.every((name) => !(name in fields));
  const kinds = [from, weekdays, part, after ?? before, ...Object.values(more)].filter((value) => value !== undefined);
  const others = genders.filter((gender) => gender !== more.gender);
  if (["male", "female"].includes(more.gender) && others.length > 0 && isFree("gender")) return { gender: others.length > 1 ? `!${more.gender}` : others[0] };
  const professions = types.filter((type) => type !== more.type);
  if (more.type && kinds.length === 1 && professions.length === 1 && isFree("type")) return { type: professions[0] };
  if (kinds.length > 1 || (after && before)) return undefined;
  if (from && isFree("from", "to")) return from !== today ? (to ? undefined : { from: today, to: nextDay(from, -1) }) : { from: nextDay(to) };
  if (weekdays && isFree("from")) return { weekdays: (fields.weekdays ?? WEEKDAYS).filter((day) => !weekdays.includes(day)) };
  if (part === "morning" && isFree("part", "after")) return { after: "12:00" };
  if (part === "evening" && isFree("part", "before")) return { before: "17:00" };
  if (after && isFree("before")) return { before: after };
  if (before && isFree("after")) return { after: before };
  return undefined;
};

/** Whether the fields already keep out what is refused. */
const isMet = (values, fields, { notServed, needs }) =>
  Object.entries(values).some(([name, value]) => {
    if (name === "sort") return true;
    if (name === "need") return needs > 0;
    if (name === "state") return notServed || (fields.state && !value.includes(fields.state));
    if (name === "gender" && fields.gender?.[0] === "!") return fields.gender === `!${value}`;
    if (name === "name") return fields.name && !value.includes(fields.name);
    if (name === "weekdays" && fields.from === fields.to && fields.from) return !value.includes(WEEKDAYS[(Date.parse(fields.from) / DAY + 3) % 7]);
    return !["from", "to", "weekdays", "after", "before"].includes(name) && name in fields && fields[name] !== value;
  }) || fields.from > values.to || fields.to < values.from;

/** What is refused, "no male doctors" as one. */
const refusedIn = ({ tokens, typed }) => {
  const all = [];
  tokens.forEach(({ left }, at) => {
    const last = all.at(-1);
    if (left && last && isKind(left) && kindBefore(tokens, at)) all.push({ values: { ...all.pop().values, ...left.values }, typed: typed(last.from, at + 1 - last.from), from: last.from, at });
    else if (left) all.push({ ...left, from: at, at });
  });
  return all;
};

/** Leaves out of the fields what the line refuses; returns what can't be left out. */
export const leaveOut = (line, fields, { today, genders, types, ...others }) =>
  refusedIn(line).filter(({ values, typed }) => {
    if (isMet(values, fields, others)) return false;
    // "No doctora, un doctor" is about the gender, which Spanish tells with the profession.
    if (values.type && values.type === fields.type && (values.gender ? values.gender === "female" && !fields.gender : fields.gender)) {
      fields.gender ??= "male";
      return false;
    }
    // The form leaves out one.
    if (values.name?.[0] && !fields.name) return typed !== (fields.not ??= typed);
    const rest = othersOf(values, fields, today, genders, types);
    if (rest) Object.assign(fields, rest);
    return !rest;
  }).map(({ typed }) => typed.replace(SMALL_START, ""));
