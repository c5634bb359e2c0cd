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

/** Two letters changed places: "taht". */
export const isTurned = (one, other) => one !== other && one.length === other.length && isSlip(one, other);

/** Of the rules' own words those that are often mistyped. */
export const TYPED = new Set(`monday tuesday wednesday thursday friday saturday sunday january february april august september october november december lunes martes miercoles jueves viernes sabado domingo manana semana noche tarde morning
appointment change evening afternoon tomorrow tonight today weekend weekday cancel cancelar reschedule reagendar takes accepts accept acepta acepte insurance seguro speaks without before after between that with have need from what doctor doctora hombre flashes sleep
therapist counselor psychologist psychiatrist nutritionist dentist terapeuta psicologo psiquiatra nutricionista dentista`.split(/\s+/).flatMap((word) => [word, `${word}s`]));
/** Right words that are near others. */
export const UNLIKE = new Set(`leaving calf main store makes shows tail tried lines leading fewer former trade metal tied trap magic join media niche woken grape cancer hambre hombros moles texts taxes settle monana slots`.split(/\s+/));

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

export const unique = (all) => [...new Set(all)];
const commas = (text) => text.split(/,\s*/);

export const SELF_PAY = commas(`uninsured, self pay*, cash, out of pocket, private pay, is it free, how much, cost, costs, price*, pricing, fee, fees, copay*, sliding scale, efectivo, por mi cuenta, cuanto cuesta*, \
cuanto vale, cuanto sale, cuanto cobra*, costo*, precio*, tarifa*`);

export const SOONEST = commas(`as soon as possible, asap, a s a p, cant wait, no puedo esperar, first available, first appointment, first opening, next available, next opening, next appointment, soonest, earliest, right away, right now, in a hurry, in a rush, \
immediately, now, soon, sooner, urgent*, as early as possible, lo antes posible, cuanto antes, lo mas pronto, tan pronto como sea posible, primera cita, primera disponible, proxima cita, proxima disponible, \
de inmediato, pronto, ahora, ahora mismo, prisa, me urge, ya`);

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
export const PLAN_WORDS = commas("ppo, hmo, epo, pos, hdhp, plan, plans, health, healthcare, insurance, choice, advantage, plus, select, community, care, of, the, and, network, group, company, open, access, basic, standard, premier, gold, silver, bronze, platinum");
export const PLAN_KINDS = new Set("ppo hmo epo pos hdhp".split(" "));
/** Words that an interest's name has and that do not tell it apart. */
export const INTEREST_WORDS = commas("health, care, medicine, and, of, the");
/** Of an interest, these alone are too little to name it. */
export const COMMON = commas("women, womens, men, mens, primary, preventive, family, general, mental, early, clinician, native, physical, healthy, work, community, digestive, internal, black, white, chronic, hormones");

/** Names of languages besides those that the browser knows, by code. */
export const LANGUAGES = {
  ase: "sign language, asl, deaf, senas, lenguaje de senas, lengua de senas", fa: "farsi", cmn: "chinese, mandarin, chino, 中文, 普通话, 國語", yue: "chinese, cantonese, cantones, chino, 中文, 粵語, 廣東話", zh: "chino, mandarin, 中文",
  es: "castellano", tl: "tagalog", ht: "haitian, creole, criollo, kreyol",
};
/** Codes of languages that patients ask for. */
export const CODES = "ar am bn my cmn yue en fa fr de el gu ht he hi hmn hu ig id it ja km ko lo ml mr ne nv no om ps pl pt pa ro ru sm sr so es sw sv tl ta te th ti tr uk ur vi yi yo ase".split(" ");

const FILLING = new Set(`mom in the dad ish una profesional* second feel* duele actuall* alguien myself will yo are practi* amabl* algun* an esta* and is ando speak* support cuando again then my anyone habl* algo appointment* al understand* atend* ella hago appt* \
also appreciat* ask out ofrec* as ola but turno* para eso espos* piens* one habra vez me urge charge do saw up right nadie ver nada busc* help* persona* hello ese virtual asi without videollamada wouldnt times marido special* dia would wife \
new pill* bien within had ago later nah named still day su your vea book* should go lose vida work* que parent* cual* didnt time general you get* cuent* cover nd good haven* trat* he dice* treat* hola han hace* abuel* ay friend* experience* \
by healthcare takes accept* close took find possible many health hey start buen* to como slot* coverage wonder* tendr* telehealth hes from why anything having living tod* hoping like* able seguimos just ran ill daughter* tener* donde taking \
ha visita* live* apt rather very i cant way im dont before tarjeta sombody seeing some* care take any him doing look* shes make around podr* sacar may anymore tu into lately hi gentl* ten otr* tenem* said could going after afraid \
comfortable seem* thing* those over los disponib* thought* through insur* sobre prescrib* talk* every* ever telemedicine comod* grandf* think* never telemedicina desde te much* partner t for en favor encontrar maybe segur* ayud* her long lo \
longer lot how muy es theres best visits near* at hour* por mism* than esto* tambien we call person well pero dese* year* aun husband isnt hope* tiene* card come which clinic* licensed calm she madre mis this nuev* patch* parche* casa \
medical pt pastilla* last availab* licencia doesnt office offer* tome can las off meds first viv* try* esa meses better on hay another sure hasta other sea ir serve* atencion este* kind opinion killing about video tiempo mas provid* know \
mejor w of ok fin prefer* place hate muero date un our vean ocupo need* toma* plz proveedor* porfa since problem* symptom* porque pareja* question* quier* pls there creo their serian ready sintomas padre all recom* siempre crazy sick \
ultimament* a sera soy paciente* cerca does solo days so seria se too his y sigo dar only guys it free cita father voy seen reserv* teng* already see has citas they gust* si online va visit little mama listen* quien* q next or am been \
usted* s el got open* always son use* con us couple* convien* here wak* because want* covered state* kinda gonna love down ive please if give people unos dias theyre were was them hora* plan* quisier* pued* tan really hij* salud issue* keep \
uno no nobody not u consult* conmigo da trabaj* saber suffer* let acept* schedule* say* papa sin papas different patient* grandm* siento la join must le until network wait* thank* be wanna del necesit* that* o mother set lugar mi moved \
stopped send* aseguranza atien* cambiar menos de whos gracias these what with have entiend* check aqui entre when e where who id its whats`.split(" "));
const LEAST_STEM = 2;
const NEAR_FILLING = 7;
/** Whether a word means nothing for the search. */
export const isFilling = (word) => FILLING.has(word) || [...word].some((_, at) => at >= LEAST_STEM && FILLING.has(`${word.slice(0, at + 1)}*`));
/** Whether it is one of these with a mistake: "appointmnt". */
export const isNearFilling = (word) => word.length >= NEAR_FILLING - 1 && [...FILLING].some((known) => known.length >= NEAR_FILLING && (known.endsWith("*") ? isNearStart(word, known.slice(0, -1)) : isNear(word, known)));

/** Phrases that mean nothing for the search although a word of them would. */
export const NOTHING = commas(`ya no, ya tengo, ya estoy, no rush, no worries, not urgent, no thanks, no gracias, not far from, not too far from, no lejos de, cita medica, citas medicas, consulta medica, consultas medicas, atencion medica, seguro medico, \
seguros medicos, new patients, pacientes nuevos, nuevos pacientes, in person, video call, at home, mas tarde, por telefono, united states, estados unidos`);
