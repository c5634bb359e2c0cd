// The words of sentences that mean the same in every clinic, in English and in Spanish. A star stands for any ending.

import { distance } from "../distance.js";

/** How far a name is from what was typed, or `undefined` if another may be meant: a long name bears two mistakes. */
export const farness = (typed, name) => {
  const most = name.length < SHORT_NAME ? 0 : name.length < LONG_NAME ? 1 : 2;
  if (most === 0) return typed.length >= name.length && isSlip(typed, name) ? 1 : undefined;
  const far = Math.abs(typed.length - name.length) <= most ? distance(typed, name) : undefined;
  return far <= most ? far : undefined;
};
const SHORT_NAME = 5;
const LONG_NAME = 9;

/** One letter is wrong, missing or too much, or two changed places; never the first letter. */
export const isNear = (one, other) => one[0] === other[0] && Math.abs(one.length - other.length) <= 1 && distance(one, other) <= 1;

/** The same of the beginning of a word, which ends as it does unless it may be loose. */
export const isNearStart = (word, start, isLoose) => [-1, 0, 1].some((more) => {
  const begin = word.slice(0, start.length + more);
  return (isLoose || begin.at(-1) === start.at(-1)) && isNear(begin, start);
});

/** A letter is missing or too much, or two changed places: what a short word bears. */
export const isSlip = (one, other) => isNear(one, other) && (one.length !== other.length || [...one].sort().join("") === [...other].sort().join(""));

/** Two letters differ, never the first one: a long name may still be meant. */
export const isTwoOff = (one, other) => one[0] === other[0] && Math.abs(one.length - other.length) <= 1 && distance(one, other) <= 2;

/** Two letters changed places: "taht". */
export const isTurned = (one, other) => one !== other && one.length === other.length && isSlip(one, other);

/** Of the rules' own words those that are often mistyped. */
export const TYPED = new Set(`monday tuesday wednesday thursday friday saturday sunday january february april august september october november december lunes martes miercoles jueves viernes sabado domingo manana semana noche tarde morning
appointment change evening afternoon tomorrow tonight today weekend weekday cancel cancelar reschedule reagendar takes accepts accept acepta acepte insurance seguro speaks without before after between that with have need from what doctor doctora hombre flashes sleep
therapist counselor psychologist psychiatrist nutritionist dentist terapeuta psicologo psiquiatra nutricionista dentista`.split(/\s+/).flatMap((word) => [word, `${word}s`]));
/** Right words that are near others. */
export const UNLIKE = new Set(`metal trap trade monana slots leaving tried store hambre former niche tied calf cancer texts leading shows magic main settle lines makes moles fewer tail join taxes media woken grape hombros spot spots hinchado hinchada hinchados hinchadas`.split(/\s+/));

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

export const unique = (all) => [...new Set(all)];
const commas = (text) => text.split(/,\s*/);

export const SELF_PAY = commas(`how much, self pay*, por mi cuenta, fees, uninsured, efectivo, private pay, cash, out of pocket, price*, cost, precio*, costo*, copa*, cuanto cuesta*, cuanto vale, cuanto cobra*, cuanto sale, is it free, fee, \
sliding scale, pricing, tarifa*, costs`);

export const SOONEST = commas(`asap, first available, first opening, next available, in a hurry, next opening, next appointment, first appointment, earliest, as early as possible, a s a p, right away, soon, as soon as possible, \
primera disponible, proxima disponible, prisa, cuanto antes, lo mas pronto, pronto, soonest, in a rush, right now, lo antes posible, immediately, now, cant wait, no puedo esperar, ya, sooner, proxima cita, de inmediato, \
primera cita, ahora, urgent*, tan pronto como sea posible, me urge, ahora mismo`);

/** Phrases and the fields that they set. */
export const FIELDS = [
  [{ gender: "female" }, commas("woman, women, female*, femail, lady, ladies, mujer*, femenin*, una profesional, senora")],
  [{ gender: "male" }, commas("man, men, male, males, guy, gentleman, hombre*, varon*, masculino, senor")],
  [{ gender: "nonBinary" }, commas("nonbinary, enby, no binari*")],
  [{ gender: "female", type: "physician" }, commas("doctora, doctoras, dra, medica, medicas")],
  [{ type: "physician" }, commas("doctor, doctors, dr, drs, docs, doc, physician, physicians, md, mds, medico, medicos, doctores")],
  [{ type: "nursePractitioner" }, ["nps"]],
];

/** Of whom a sentence speaks when it does not choose the clinician. */
export const PATIENTS = "(?:my name is|me llamo) [a-z]+|(?:i am|im|am|soy|as) (?:also )?(?:(?:an?|una?(?: persona)?) )?(?:(?:\\d\\d?|[a-z]+) (?:years? old|yo|y o) )?(?:older |young |single |pregnant )?(?:woman|female|man|male|lady|guy|mujer|hombre|non ?binary|enby|no binari[aoe])|(?<=(?:trans|transgender|gay|lesbian|bi|bisexual|queer|straight) )(?:(?:wo)?m[ae]n|(?:fe)?male|guy|lady)(?! (?:d|nur|phy|np|prov))|(?:wo)?man(?= (?:looking|seeking|need))|(?:mujer|hombre)(?= (?:trans|transgenero|gay|lesbiana|bisexual|busca|buscando)(?![^ ]))|\\d\\d? (?:years? old|yo|y o)(?: (?:woman|female|man|male))?|(?:im|i am) \\d\\d(?= ,|$| and| with)|(?:de )?\\d\\d? anos|(?:woman|man|female|male) (?:or|and) (?:an? )?(?:woman|man|female|male)|(?:hombre|mujer) (?:o|y) (?:una? )?(?:hombre|mujer)|(?:do|can|does|will) (?:you|they|he|she) (?:treat|see|take|accept|help) (?:men|women|males|females|(?:male|female) patients)|(?:atienden|tratan|aceptan|ven)(?: a)? (?:hombres|mujeres)|(?:female|male|non ?binary) patient|para (?:mujeres|hombres)|(?:np|nurse practitioner|nurse|doctor|physician) or (?:an? )?(?:np|nurse practitioner|nurse|doctor|physician)|(?:doctor|medico|enfermer[oa]) o (?:una? )?(?:doctora?|medic[oa]|enfermer[oa])|doctora o (?:un )?doctor";

const HEAT = "(?:sweat[a-z]*|hot|drenched|soaked|sud(?:[oa]|or|ar|ando)|calor(?:es)?|sofocos|bochornos|empapad[oa])";
const NIGHT = "(?:(?:at|all|every|por|de|las?|toda) )+(?:nights?|noches?)";
const BY_NIGHT = `(?:${NIGHT}|(?:at|a las) [1-5] (?:am|de la))`;
const SOME = "(?: (?!cita|appo)[a-z0-9]+){0,4}";
const AWAKE = "(?:me )?(?:wak(?:e|ing)|woke|awake|(?<!get )up|despiert[oa]|levanto|paso|no (?:duerm[oe]|he dormido|pego))";
/** Of whom sweats or is awake at night it isn't a wish for evenings or for that hour. */
export const NIGHTS = [
  ["night sweats", `${HEAT}${SOME} ${BY_NIGHT}|(?:${BY_NIGHT}|wak[a-z]+|woke|desp[a-z]+|levanto)${SOME} ${HEAT}(?: in sweat)?(?: ${BY_NIGHT})?`],
  ["insomnia", `${AWAKE}${SOME} ${NIGHT}(?: en vela)?|${AWAKE}(?: up)? (?:at|since|a)(?: las)? [1-5](?: am| in the morning| de la (?:manana|madrugada))?(?: every [a-z]+)?(?: y ya)?`],
];

/** Stand before names and are then none. */
export const TITLES = new Set("dr dra drs doctor doctors doctora doctores ms mrs mr miss mx prof professor sr sra srta senor senora senorita nurse np physician medico medica enfermera enfermero therapist named called llamada llamado don dona".split(" "));
/** Stand behind names. */
export const CREDENTIALS = new Set("md do np pa phd dnp aprn facog mscp".split(" "));

/** Words for visits that clinics call by different names, and words of those names; "async" is a visit without video. */
export const VISITS = [
  ["follow up|return|seguimiento", commas("follow up, follow ups, return visit, established patient, current patient, existing patient, already a patient, already see, already seeing, a patient of, paciente actual, soy paciente, ya soy paciente, ya veo, seguimiento, visita de control, cita de control")],
  ["new patient|first|initial|intake|nuevo", commas("new patient, new pt, first visit, first time, initial visit, initial consultation, intake, paciente nuev*, nuev* paciente, nuevo paciente, nueva paciente, primera visita, primera consulta, primera vez")],
  ["message|mensaje|async", commas("message*, messaging, text with, texting, chat, email, in writing, mensaje*, por escrito, correo electronico, without video")],
  ["group|grupo", commas("group, grupo")],
];
/** Words that a visit's name has and that do not tell it apart. */
export const VISIT_WORDS = commas("visit, visits, appointment, consultation, consult, review, session, call, visita, consulta, cita, sesion, revision");
/** Words that a plan's name has and that do not tell it apart. */
export const PLAN_WORDS = commas("pos, plan, insurance, choice, advantage, select, bronze, network, company, access, basic, platinum, plus, silver, epo, and, premier, community, of, the, ppo, health, care, hmo, healthcare, hdhp, group, gold, open, plans, standard");
export const PLAN_KINDS = new Set("ppo hmo epo pos hdhp".split(" "));
/** Words that an interest's name has and that do not tell it apart. */
export const INTEREST_WORDS = commas("health, care, medicine, and, of, the");
/** Of an interest, these alone are too little to name it. */
export const COMMON = commas("community, women, preventive, native, internal, men, chronic, early, digestive, hormones, healthy, womens, white, primary, work, general, mens, clinician, physical, mental, family, black");

/** Names of languages besides those that the browser knows, by code. */
export const LANGUAGES = {
  ase: "sign language, asl, deaf, senas, lenguaje de senas, lengua de senas", fa: "farsi", cmn: "chinese, mandarin, chino, 中文, 普通话, 國語", yue: "chinese, cantonese, cantones, chino, 中文, 粵語, 廣東話", zh: "chino, mandarin, 中文",
  es: "castellano", tl: "tagalog", ht: "haitian, creole, criollo, kreyol", fi: "finlandes",
};

const FILLING = new Set(`in the came back normal mensajit* anything dad id second feel* alguien yo amabl* algun* ago hago licensed hi right ran nadie esta* and haven* ando speak* support cuando mejor again new treat* into vean to my anyone habl* algo \
appointment* al understand* appt* trat* also appreciat* ask out ofrec* as around only is turno* one habra vez whats me urge charge do busc* help* persona* espos* hello ese virtual asi will husband after bien wouldnt times marido \
special* dia wife later named day we different then your vea book* should go lose he work* que parent* didnt time you ella una profesional* cuent* cover hola ultimament* if piens* dice* q get* hace* abuel* ay friend* experience* \
by ola its healthcare takes accept* atend* close took find han had many health hey start best visits gentl* aseguranza slot* coverage stopped buen* send* tendr* telehealth hes from why afraid already see having living nd hoping \
like* able seguimos entiend* just ill daughter* tener* taking como el before comfortable still w grandf* es theres podr* got live* am herman* apt rather very i actuall* u cant way im dont tarjeta sombody seeing some* cual* \
care take mama any him doing look* shes make sacar may anymore tu lately pill* pero tiene* ten please his otr* tenem* te myself said a teng* para saw up seem* thing* those practi* over los disponib* thought* nah talk* every* ever \
telemedicine good comod* think* never telemedicina desde much* partner en consult* conmigo duele without videollamada love encontrar maybe segur* her long lo general been near* at hour* por mism* than esto* sister* person \
dese* year* aun network hope* card come donde which hate use* ha visita* of ok fin la mis always meses this nuev* patch* parche* casa viv* an medical da calm licencia doesnt office offer* tome can meds possible first try* esa \
vida other sea prescrib* padre no nobody not eso all wonder* longer favor clinic* off better on ir serve* atencion este* kind opinion killing video tiempo mas provid* brother* thank* she nada madre prefer* place muero are date could going \
aguant* dan un our ocupo need* toma* plz proveedor* porfa since problem* symptom* porque pareja* question* quier* patient* pls there insur* sobre creo their serian ready sintomas recom* siempre crazy sick cerca does solo well days so seria y \
sigo dar guys hasta it free cita father voy seen reserv* about call has citas they sera soy paciente* hora* ish gust* si online ayud* tambien va visit would little listen* quien* se next or s open* con us couple* aqui t convien* \
son here wak* pt atien* because want* covered state* kinda gonna down give lot people unos dias theyre were was them tan hay another sure for su acept* but pastilla* plan* quisier* pued* really hij* salud issue* keep uno trabaj* \
saber suffer* schedule* say* papa sin ver papas grandm* siento join must tod* ive isnt le until how muy too wait* las be wanna del necesit* that* let o mother set know through within lugar mi moved usted* cambiar menos de whos \
gracias these what with have check avail* who last entre when e where mom`.split(" "));
const LEAST_STEM = 2;
const NEAR_FILLING = 7;
/** Whether a word means nothing for the search. */
export const isFilling = (word) => FILLING.has(word) || [...word].some((_, at) => at >= LEAST_STEM && FILLING.has(`${word.slice(0, at + 1)}*`));
/** Whether it is one of these with a mistake: "appointmnt". */
export const isNearFilling = (word) => word.length >= NEAR_FILLING - 1 && [...FILLING].some((known) => known.length >= NEAR_FILLING && (known.endsWith("*") ? isNearStart(word, known.slice(0, -1)) : isNear(word, known)));

/** Phrases that mean nothing for the search although a word of them would. */
export const NOTHING = commas(`citas medicas, consulta medica, seguro medico, ya no, ya tengo, por telefono, ya estoy, mas tarde, no lejos de, no rush, in person, consultas medicas, not urgent, no thanks, no worries, cita medica, at home, \
no gracias, video call, atencion medica, seguros medicos, not too far from, pacientes nuevos, not far from, nuevos pacientes, united states, estados unidos, new patients`);

/** Testosterone beside what is for menopause is for it, too, unless it's for a man. */
export const isForMenopause = ({ typed }, concepts, text) => /testost/i.test(typed) && concepts.some(({ interests }) => interests.some((name) => /menopaus/i.test(name))) && !/\b(?:man|men|male|guy|husband|hombres?|marido|esposo)\b/i.test(text);

/** Words beside wishes that no rule of when.js and asides.js begins with. */
export const PLAIN = new Set("a an the this nobody nadie como este i me my we who is are and with in for of near need want like looking find see please doctor un una la el los en con de para que quiero necesito busco".split(" "));
/** What those rules would understand otherwise. */
export const OTHERWISE = /\d|ther.?p|terap|couns|consej|psyc|sic|siqu|nutri|denti|midwi|pedia|teen|trabajo|video|person|urgen|diet|energ|parter|body who/i;
