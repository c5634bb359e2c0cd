// What a sentence says besides its wishes, in English and in Spanish: danger, questions, and what is refused.

import { phraseOf } from "./line.js";
import { WEEKDAYS } from "./when.js";
import { isFilling, isNear, isNearStart, TITLES } from "./words.js";

// Danger, also with a mistake in each word.

const SELF = "myself/himself/herself/themselves/themself/ourselves";
/** A slash stands between words of which one is said, a star for any ending; a word before ! bears no mistake. */
const SUICIDE = `988, mental health crisis, crisis line/hotline, suicid*, kms, kill/killing/hurt/hurting/harm/harming/cut/cutting/shoot/hang ${SELF}, end/ending it all, end/ending everything, it all to stop/end, everything/it to end, i want/wish to disappear, wake up anymore/again, would miss me, point in/of living/life, wish i could die, cut/cutting my/her/his arms!/wrists/wrist, self harm, unalive, \
want/wants/wanted/wanting/wanna/going to die, want/wanna to be dead, ending things, wanna die, feel/feeling like dying, going to end it, gonna end it, cant/cannot do this anymore, wish i was/were dead, better off dead, ready to die, \
dont/doesnt want/wanna to live/exist, dont wanna live, do/does not want to live, dont/doesnt want to be alive/here, do not want to be alive, no reason to live, \
end/ending/take/taking my/his/her/own life, take my own life, take his/her own life, tired of living, cant go on, life is not worth, life isnt worth, not worth living, \
quiero/kiero/quiere/queria/prefiero morir*, ganas de morir*, no tengo ganas de vivir, matarme, quitar/quitarme/quitarse la vida, me/se quito la vida, pienso/pensar/pensando en morir*/matar*, en la muerte todo, acabar/terminar con todo, \
sentido a la vida, vida no tiene sentido, pena vivir, para que vivir, ya no quiero/quisiera/quiere/kiero estar/despertar/vivir, no quiero/quisiera/kiero estar aqui, quiero/quisiera/kiero desaparecer, me/te/se corto/corta/cortan/corte los/las brazos/venas/munecas/piernas, quisiera/quiero/queria estar muert*, no quiero despertar, quiero/quiere/kiero matar, voy/va a matar, ya no puedo mas, no aguanto mas, acabar con mi/su vida, terminar con mi vida, no quiero/quiere/kiero vivir, no quiero seguir viviendo, \
no quiero/kiero estar viv*, no quiero existir, cansad* de vivir, hacerme dano, lastimarme, cortarme`;
const EMERGENCY = `emergenc*, 911, urgencia medica, in crisis, en crisis, ambulance, ambulancia, overdos*, too many pills, chest pain*, pain in my/his/her chest, pain in chest, chestpain*, heartattack, chest is tight, \
chest hurts, chest hurting, chest tight*, tightness in my/his/her chest, tight chest, pressure in my/his/her chest, chest pressure, heart attack*, stroke, \
cant/cannot/couldnt breath*, can not breathe, not breathing, isnt breathing, trouble/difficulty breathing, shortness of breath, short of breath, hard to breathe, \
stopped breathing, unconscious, wont wake up, passed/passing out, choking, hemorrhag*, bleeding a lot, bleed/bleeding to death, pregnant and bleeding, throat swelling, throat is swelling, kill/hurt someone/somebody, bleeding out, severe bleeding, stop bleeding, coughing up blood, vomiting blood, throwing up blood, face drooping, face is drooping, \
slurred speech, took/taken/swallowed a lot of pills, took/taken/swallowed all my/his/her/the pills, whole/entire/full bottle, move one side, one side of my/his/her face/body is/went/feels/droops, half of my/his/her face, face is/went/feels numb, poison*, anaphyla*, throat is closing, seizure*, im dying, he/she/mom/dad is dying, cant catch my breath, \
sobredosis, tome/tomo muchas/todas pastillas, todas las/mis/sus pastillas, un derrame, torcio/tuerce/torcida/torcido la cara/boca, boca/cara torcida/chueca, duerme/durmio/dormido/dormida/paralizo un/medio/media lado/cara, demasiadas pastillas, dolor de/en pecho, dolor en el pecho, dolores en el pecho, duele el pecho, duele mucho el pecho, dolor pecho, desmay*, auxilio, presion/opresion en el pecho, ataque al corazon, ataque cardiaco, \
infarto, derrame cerebral, no puedo/puede respirar, cuesta respirar, dificultad para respirar, falta de aire, falta el aire, inconsciente, me ahogo, ahogando, no respira, cierra la garganta, siento que me muero, hemorragia, envenena*, \
convulsion*, me estoy muriendo, se esta muriendo, escupo/vomito sangre`;
const OTHERS = "husband/wife/partner/boyfriend/girlfriend/ex/spouse/fiance/fiancee/dad/he!/she!/they!";
const OTROS = "esposo/esposa/marido/pareja/novio/novia/ex/papa/el!/ella!";
const ABUSE = `domestic/partner violence/abuse, abusive relationship/marriage/${OTHERS}, ${OTHERS} hits/hit/beats!/beat!/abuses/abused/slaps/punches/chokes/kicks/threatens/threatened/hurts! me, is/keeps/been abusing/hitting/beating/threatening me, is/was abusive, \
afraid/scared of my ${OTHERS}, violencia domestica/intrafamiliar, ${OTROS} me pega!/pego!/golpea/golpeo/maltrata/maltrato/amenaza, me pega!/pego!/golpea/golpeo/maltrata mi ${OTROS}, abusa/abuso de mi, miedo a/de mi ${OTROS}`;
/** What has such words and isn't a danger. */
const CALM = `not an emergency, isnt an emergency, non emergency, no es una emergencia, killing me, dying to, muero por, muero de, desaparecer las/los/el/la, cut myself some slack`;
/** The same, and what they name is looked for. */
const NAMED = `emergency contraception/contraceptive/contraceptives/medicine/contact, heat stroke, stroke prevention/recovery/risk/survivor/of, stroke last year, history of stroke/heart, \
derrame en/ocular/pleural, of a stroke, of a heart attack, history of heart attack, heart attack prevention/risk/survivor, poison ivy/oak/sumac, dying of`;

/** The National Domestic Violence Hotline. */
const ABUSED = "1-800-799-7233";

/** Rows of words: of each, what may stand for it. */
const phrases = (text) => text.split(", ").map((phrase) => phrase.split(" ").map((word) => word.split("/")));
const TABLE = [[false, phrases(CALM)], [undefined, phrases(NAMED)], ["988", phrases(SUICIDE)], ["911", phrases(EMERGENCY)], [ABUSED, phrases(ABUSE)]];

const LEAST_NEAR = 4;
/** Alone, shorter words are too much like others: "choking" is no "cooking". */
const LEAST_NEAR_ALONE = 8;
const STARTS = ["suicid", "emergenc"];
const STRICT_STARTS = ["overdos"];

const isSaid = (word, known, isAlone) => {
  if (known.endsWith("!")) return word === known.slice(0, -1);
  if (known.endsWith("*")) {
    const start = known.slice(0, -1);
    return word.startsWith(start) || (STARTS.includes(start) && isNearStart(word, start, true)) || ((!isAlone || STRICT_STARTS.includes(start)) && isNearStart(word, start));
  }
  return word === known || (known.length >= (isAlone ? LEAST_NEAR_ALONE : LEAST_NEAR) && isNear(word, known));
};

/** Takes the words of danger; returns the number to call first, or false. */
export const readDanger = (line) => {
  const numbers = new Set();
  for (const [number, rows] of TABLE) {
    for (const row of rows) {
      for (let at = 0; at + row.length <= line.tokens.length; at += 1) {
        const isHere = row.every((words, more) => {
          const { word, isMark } = line.tokens[at + more];
          return !isMark && words.some((known) => isSaid(word, known, row.length === 1));
        });
        if (!isHere) continue;
        if (number === undefined) line.tokens.slice(at, at + row.length).forEach((token) => (token.isCalm = true));
        else if (line.tokens.slice(at, at + row.length).some(({ isCalm }) => isCalm)) continue;
        else line.take(at, row.length);
        if (number) numbers.add(number);
      }
    }
  }
  return ["988", "911", ABUSED].find((number) => numbers.has(number)) ?? false;
};

// Questions about money and booking.

const UNINSURED = "(?:no|without|lost|lack|lacking|sin|(?:dont|doesnt|do not|does not) (?:currently )?(?:have|got)|(?:have|has|had|with) no|no (?:tengo|tiene|tenemos|cuento con)|not covered by|perdi|(?:cant|cannot) (?:afford|get)|(?:dont|doesnt) (?:take|accept)|no puedo pagar)(?: (?:any|my|health|medical|ningun|ninguna|un|una|mi|el|current))* (?:insurance|coverage|insured|seguros?|aseguranza|cobertura)(?: (?:medico|medica|de salud|right now|at the moment))?";
const VISIT = "(?:appointments?|appt|appts|apt|visits?|consultations?|booking)";
const MY = "(?:(?:an?|my|the|our|this|one) )*";
const BOOK = "(?:book|schedule|reserve|cancel|reschedule)(?:ing)?";
const HACER = "(?:hago|hacer|reservo|reservar|agendo|agendar|saco|sacar|programo|programar|pido|pedir|solicito|solicitar|cancelo|cancelar)";
const CITA = "(?:(?:una|la|mi|su|de) )*(?:citas?|consultas?|turnos?|fecha|hora)";
const BOOKING = [
  `(?:how|where) (?:can|do|does|would|could|should|to) (?:(?:i|we|you) )?(?:${BOOK}(?: ${MY}${VISIT})?|(?:make|get|set up|request|change|move) ${MY}${VISIT})`,
  `(?:can|could|may|do|should|is it possible to|am i able to) (?:(?:i|we|you|still|just|have|need|to|call) )*(?:${BOOK}(?: ${MY}${VISIT})?|(?:make|set up|change|move) ${MY}${VISIT})(?: online)?`,
  `(?:cancel[a-z]*|cancle|resched[a-z]*|reshed[a-z]*|postpone|rebook)(?: ${MY}${VISIT})?|(?:change|move|switch|push back|miss|missed) ${MY}${VISIT}`,
  "(?:book|booking|schedule|scheduling) (?:online|by phone)|online (?:booking|scheduling)|(?:your )?(?:phone|telephone|contact) (?:number|info[a-z]*)|your number|(?:can i )?call(?: you)?(?=$)|(?:become|be) an? (?:new )?patient|register|(?:talk|speak) (?:to|with) (?:a person|a human|the office|the front desk)",
  `(?:como|donde|puedo|se puede|podria) (?:(?:puedo|se puede|se|debo|podria) )*${HACER}(?: ${CITA})?(?: (?:en linea|por telefono))?`,
  `(?:cancel(?:ar|o|e|acion)|posponer|reprogram[a-z]*|reagend[a-z]*)(?: ${CITA})?|cambi(?:ar|o|e) (?:de )?${CITA}|(?:numero de |su )?telefono|hacerme paciente|llamar(?:les)?(?=$)|numero de (?:telefono|contacto)`,
];

const PLANS = "(?:what|which|que|cuales) (?:(?:health|tipos? de|kinds? of|types? of) )*(?:insurances?|plans?|seguros?|planes|aseguranzas?)|(?:take|accept|aceptan|toman)(?: (?:my|any|mi|algun|health))* (?:insurance|seguros?|aseguranza)|(?:insurance|seguro) (?:accepted|aceptado|list)";

const WHEN = "(?: (?:today|tomorrow|now|hoy|manana|ahora|(?:on|los) [a-z]+s))?";
const HELD = "(?: (?:be|in|en|by|por|on|o|or|person|video|virtual|phone|online|persona|presencial|virtuales|presenciales|linea|telefono))+";
/** Only the clinic can answer these. */
const ASKING = [
  "(?:can|could|will|would) (?:you|someone|(?:the |my )?(?:dr|doctor)) (?:please )?(?:refill|renew|fill|call in) (?:my|an?|the) (?:prescriptions?|meds?|medicines?|medications?|rx|pills)",
  `(?:what times?|when|how late) (?:do|does|are|is) (?:you|your office|the office|the clinic) (?:open|close|closed)${WHEN}|are you (?:guys )?(?:open|closed)(?! to(?![^ ]))${WHEN}|(?:(?:what are|whats) )?(?:your|office|clinic) hours|where (?:is|are) (?:you|your) (?:located|office|clinic)`,
  `(?:is|are|will) (?:(?:my|the|your|all) )?(?:visits?|appointments?)${HELD}|(?:(?:las|la|mi|mis|sus) )?(?:citas?|consultas?) (?:son|es)${HELD}`,
  `a que hora (?:abren?|cierran?)${WHEN}|(?:cual es|cuales son) (?:sus?|el|los) horarios?(?: de atencion)?|estan abiertos${WHEN}|donde (?:estan|quedan)(?: ubicados)?`,
  "(?:pueden?|podrian?) (?:resurtir|renovar|rellenar|surtir)(?:me)? (?:mis?|las?|una) (?:recetas?|medicinas?|medicamentos?)",
];
const PROFESSION = "(?:do you|does anyone|is there|are there|tienen|hay|ofrecen|cuentan con)(?: (?:have|offer|do|provide|an?|any|some|algun|alguna|una?))* ((?:therap|counsel|psych|dietit|nutri|dentist|midwi|terap|psic|psiq|consej|parter)[a-z]+)";
const STEM = 6;

/** Takes questions about money and booking; returns whether something of booking is said besides. */
export const readQuestions = (line, found, { types }) => {
  for (const pattern of ASKING) line.each(pattern, () => (found.isAsking = true));
  line.each(PROFESSION, ([all, profession], at) => {
    const isOurs = Object.values(types).flat().some((name) => phraseOf(name).startsWith(profession.slice(0, STEM)));
    if (!isOurs) found.profession = line.typed(at + all.split(" ").length - 1, 1);
    return false;
  });
  line.each(UNINSURED, () => (found.selfPay = true));
  line.each(PLANS, () => (found.isPlans = true));
  const isBooking = line.has("book|booking|schedule|make (?:an? )?(?:appointment|appt)|reserv[a-z]*|agend[a-z]*|hacer una cita|sacar una cita");
  for (const pattern of BOOKING) line.each(pattern, () => (found.booking = true));
  return isBooking;
};

// Refusals: "no men", "anything but mornings". A negator is a mark in the line, and what follows it is left out if the form can
// say so; otherwise the page says that it can't.

const ANY = "(?:any ?(?:one|body|thing|time|day|where)|every ?(?:one|body|thing|day)|all|cualquier(?:a| dia| hora| cosa)?|todo|todos)";
/** After these, "not" and "don't" refuse nothing. */
const HARMLESS = "have an?|got an?|sure|certain|know|think|understand|remember|feel|feeling|find|get|see|seen|been|sleep|sleeping|forget|wait|yet|too|so|far|urgent|well|earlier|later|able|had|having|say|please";
const HARMLESS_NO = "mas tarde|need|one|earlier|later|more|matter|preference|problem|rush|hurry|idea|se|encuentro|conozco|entiendo|recuerdo|consigo|hay|he|ha|me|estoy segur[oa]";
/** What can't be done is about times: "I can't get a doctor" wants one. */
const UNABLE = "(?:cant|cannot|can not|couldnt|wont|unable to|not able to|no puedo|no podre)(?: (?:do|make it|make|come in|come|be there|attend|meet|go|ir|venir|asistir|hacerlo))?|(?<!is |are )not (?:available|free)|unavailable|no estoy disponible|i work|im working|im at work|im busy|(?<!(?:del?|mi|el) )trabajo|estoy ocupad[oa]";
/** Nothing is asked for: it doesn't have to be a woman, and you don't take Aetna? */
const SOFT = "(?:would not|wouldnt) mind|(?:dont|doesnt|do not|does not) (?:mind|care(?: if)?|matter(?: if)?|have to|need(?: to)?)|not (?:necessarily|only|just)|no need for|no tiene que|no importa(?: si)?|me da igual(?: si)?|no (?:solo|solamente)";
const ASKED = "(?:you|they|she|he|ustedes) (?:dont|do not|doesnt|no) (?:take|accept|toman|aceptan)|(?<=do you |does (?:dr )?[a-z]+ )not|(?<![a-z0-9] )(?:dont|doesnt|isnt|arent) (?:you|they|she|he|dr|doctor)";
/** What people don't have is a plan or an illness. */
const LACKING = "(?:dont|doesnt|do not|does not|no longer|havent) (?:currently |actually )?(?:have|got|use|suffer from)(?! an?(?![^ ]))|(?:have|has|had|with) no|no (?:tengo|tiene|tenemos|cuento con|uso)";
const REFUSED = [
  `(?:${ANY} )(?:but|menos)`, "other than|rather than|instead of|except(?: for)?|excluding|besides|apart from|avoid(?:ing)?|hate|odio|excepto|salvo|en vez del?|en lugar del?|evitar|nothing(?= (?:before|after|in|on)(?![^ ]))|nada(?= (?:antes|despues|en|por)(?![^ ]))|never(?! (?:been|had|seen|tried|taken|gone)(?![^ ]))|neither|nor|nunca|tampoco|ni|non|nada de|(?:que )?no me (?:atiend[ae]|vea|revise|examine|trate|toque)n?|rather not(?: see| have)?|que no sean?|no me (?:gustan?|sirven?)",
  `(?<!(?:if|or|why|whether) )(?:not|dont|doesnt|didnt|isnt|arent|aint|wouldnt)(?! (?:${HARMLESS})(?![^ ]))`,
  "(?<!(?:al|lo|mas o|en) )menos(?! (?:de|que|mal)(?![^ ]))", "refuse(?: to see)?|no longer|no (?:vivo|estoy|soy|es|quiero|busco)",
];
const NO = `without|sin|(?<!(?:why|how come|there|theres|there are|there is|hay) )no(?! (?:${HARMLESS_NO})(?![^ ]))`;

/** Phrases that have a negator in them and mean something else: "can't sleep". */
export const NEGATED = /\b(?:not?|non|dont|doesnt|isnt|cant|cannot|wont|nothing(?= (?:before|after|in|on)(?![^ ]))|nada(?= (?:antes|despues|en|por)(?![^ ]))|never|why|if|poco)\b/;
const ARTICLES = /^(?:(?:dra?\.?|on|in|at|the|an?|el|la|los|las|en|por|de|una?)\s+)+/i;

/** "Mondays don't work for me." */
const AFTER = "(?:dont|doesnt|wont|do not|does not) work(?: (?:for me|well))*|(?:is|are) (?:no good|bad|out|impossible)(?: for me)?|no me (?:sirven?|funcionan?|convienen?|quedan? bien)(?= ,|$)";

const TIMES = ["from", "to", "weekdays", "part", "after", "before"];
/** "Male doctors" are one, and so is "a doctor who is a man". */
const KINDS = ["gender", "type"];
const isKind = (left) => KINDS.some((kind) => kind in left.values);
const LINKS = new Set("who whos that is are a an que sea sean es un una".split(" "));
/** The kind that a word of this place belongs to. */
const kindBefore = (tokens, at) => {
  const left = tokens.slice(0, at).findLast(({ word }) => !LINKS.has(word))?.left;
  return left && isKind(left);
};
const REFUSALS = { "¬": () => true, "¬unable": (name, isNext) => TIMES.includes(name) && isNext(), "¬lacking": (name) => ["plan", "need"].includes(name), "¬no": (name, isNext) => name !== "state" || isNext(), "¬soft": (name) => name !== "need" && "softly", "¬after": () => false };
/** Before what is refused, "I don't want him on Friday" has such words; a clause of its own begins with others. */
const CLAUSE = new Set("i im ive id but pero sino and y e we he she yo who if because since porque tengo busco necesito need".split(" "));
const SMALL = new Set("on in the at during any for los las el la en por de".split(" "));
const OR = new Set("or and o u y e".split(" "));
/** These miss what they name: "no energy". */
const MISSED = /^(?:sleep\w*|energy|energia|libido|deseo|periods?|my period|regla|periodo|sex drive|appetite|apetito|dormir|sueno|menstrua\w*)$/;

/** Negators become marks of the line. */
export const takeNegators = (line) => {
  line.each("not (?:until|till)|no hasta", () => "from");
  line.each(AFTER, () => "¬after");
  line.each(ASKED, () => true);
  line.each(SOFT, () => "¬soft");
  line.each(LACKING, () => "¬lacking");
  line.each("(?:wont|will not) see", () => "¬");
  line.each(UNABLE, () => "¬unable");
  for (const pattern of REFUSED) line.each(pattern, () => "¬");
  line.each(NO, () => "¬no");
};

/** Whether a line refuses what it has at a place: the value of a field, or a "need"; softly if nothing is to be left out. */
export const isRefused = ({ tokens }, at, count, name, phrase = "") => {
  if (MISSED.test(phrase)) return false;
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

const nextDay = (day, more = 1) => new Date(Date.parse(day) + more * 86_400_000).toISOString().slice(0, 10);
/** The fields that say everything but these values; undefined if the form can't. */
const othersOf = ({ from, to, weekdays, part, after, before, ...more }, fields, today, genders) => {
  const isFree = (...names) => names.every((name) => !(name in fields));
  const kinds = [from, weekdays, part, after ?? before, ...Object.values(more)].filter((value) => value !== undefined);
  if (kinds.length > 1 || (after && before)) return undefined;
  const others = genders.filter((gender) => gender !== more.gender);
  if (more.gender && others.length === 1 && isFree("gender")) return { gender: others[0] };
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
    if (name === "name") return fields.name && !value.includes(fields.name);
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

/** Leaves out of the fields what the line refuses; returns the words of what can't be left out. */
export const leaveOut = (line, fields, { today, genders, ...others }) =>
  refusedIn(line).filter(({ values }) => {
    if (isMet(values, fields, others)) return false;
    const rest = othersOf(values, fields, today, genders);
    if (rest) Object.assign(fields, rest);
    return !rest;
  }).map(({ typed }) => typed.replace(ARTICLES, ""));
