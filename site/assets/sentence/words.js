// The words of sentences that mean the same in every clinic, in English and in Spanish. A star stands for any ending.

const list = (text) => text.split(/,\s*/);

/** Said first, before all results. */
export const DANGER = list(`emergenc*, 911, 988, urgencia medica, in crisis, en crisis, suicid*, thoughts of suicide, kill myself, killing myself, want to die, wanna die, wish i was dead, \
wish i were dead, better off dead, dont want to live, do not want to live, dont want to be alive, no reason to live, end my life, end it all, take my own life, hurt myself, \
hurting myself, harm myself, self harm, cutting myself, overdos*, too many pills, chest pain*, pain in my chest, chest hurts, chest tight*, tightness in my chest, tight chest, \
pressure in my chest, chest pressure, heart attack*, stroke, cant breath*, cannot breathe, can not breathe, not breathing, trouble breathing, difficulty breathing, \
shortness of breath, short of breath, hard to breathe, unconscious, passed out, choking, bleeding out, severe bleeding, stop bleeding, coughing up blood, vomiting blood, \
face drooping, slurred speech, poison*, anaphyla*, throat is closing, quiero morir*, matarme, no quiero vivir, no quiero seguir viviendo, quitarme la vida, acabar con mi vida, \
hacerme dano, lastimarme, cortarme, sobredosis, demasiadas pastillas, dolor de pecho, dolor en el pecho, duele el pecho, presion en el pecho, ataque al corazon, \
ataque cardiaco, infarto, derrame cerebral, no puedo respirar, cuesta respirar, dificultad para respirar, falta de aire, falta el aire, inconsciente, me ahogo, hemorragia, envenena*`);
/** What has such words and is no danger. */
export const CALM = list("not an emergency, non emergency, no es una emergencia, emergency contraception, heat stroke");

export const SELF_PAY = list(`no insurance, without insurance, dont have insurance, dont have any insurance, do not have insurance, no health insurance, uninsured, not insured, \
no coverage, lost my insurance, self pay*, pay cash, cash, out of pocket, private pay, how much, how much does it cost, what does it cost, cost, costs, price*, pricing, fee, fees, copay*, sliding scale, \
sin seguro*, sin aseguranza, no tengo seguro*, no tengo aseguranza, efectivo, por mi cuenta, cuanto cuesta*, cuanto vale, cuanto cobra*, costo*, precio*, tarifa*`);

export const SOONEST = list(`as soon as possible, asap, a s a p, first available, first appointment, first opening, next available, next opening, next appointment, soonest, earliest, right away, right now, \
immediately, now, soon, sooner, urgent*, as early as possible, lo antes posible, cuanto antes, lo mas pronto posible, lo mas pronto, tan pronto como sea posible, \
primera cita, primera cita disponible, primera disponible, proxima cita, proxima cita disponible, proxima disponible, de inmediato, pronto, ahora, ahora mismo, ya`);

/** Phrases and the fields that they set. */
export const FIELDS = [
  [{ gender: "female" }, list("woman, women, female*, lady, ladies, mujer*, femenin*, una profesional, senora")],
  [{ gender: "male" }, list("man, men, male, males, guy, gentleman, hombre*, varon*, masculino, senor")],
  [{ gender: "nonBinary" }, list("nonbinary, enby, no binari*")],
  [{ gender: "female", type: "physician" }, list("doctora, doctoras, dra, medica, medicas")],
  [{ type: "physician" }, list("doctor, doctors, dr, drs, docs, doc, physician, physicians, md, mds, medico, medicos, doctores")],
];

/** Of whom a sentence speaks when it does not choose the clinician. */
export const PATIENTS = "(?:i am|im|am|soy|as) (?:also )?(?:(?:an?|una?) )?(?:(?:\\d\\d?|\\p{L}+) (?:years? old|yo|y o) )?(?:older |young |trans |single |pregnant )?(?:woman|female|man|male|lady|guy|mujer|hombre)|\\d\\d? (?:years? old|yo|y o)(?: (?:woman|female|man|male))?|(?:de )?\\d\\d? anos|(?:woman|man|female|male) (?:or|and) (?:an? )?(?:woman|man|female|male)|(?:hombre|mujer) (?:o|y) (?:una? )?(?:hombre|mujer)|(?:female|male) patient|no (?:men|women|males|females|hombres|mujeres)";

/** Stand before names and are then none. */
export const TITLES = new Set("dr dra drs doctor doctora ms mrs mr miss mx prof professor sr sra srta senor senora senorita nurse np physician medico medica enfermera enfermero therapist named called llamada llamado don dona".split(" "));
/** Stand behind names. */
export const CREDENTIALS = new Set("md do np pa phd dnp aprn facog mscp".split(" "));

/** Words for visits that clinics call by different names, and words of those names; "async" is a visit without video. */
export const VISITS = [
  ["follow up|return|seguimiento", list("follow up, follow ups, return visit, established patient, seguimiento, visita de control, cita de control")],
  ["new patient|first|initial|intake|nuevo", list("new patient, first visit, first time, initial visit, initial consultation, intake, paciente nuev*, nuev* paciente, nuevo paciente, nueva paciente, primera visita, primera consulta, primera vez")],
  ["message|mensaje|async", list("message*, messaging, chat, email, in writing, mensaje*, por escrito, correo electronico, without video, no video, without a video call, no camera, sin video, sin videollamada, sin camara")],
  ["group|grupo", list("group, grupo")],
];
/** Words that a visit's name has and that do not tell it apart. */
export const VISIT_WORDS = list("visit, visits, appointment, consultation, consult, review, session, call, visita, consulta, cita, sesion, revision");
/** Words that a plan's name has and that do not tell it apart. */
export const PLAN_WORDS = list("ppo, hmo, epo, pos, hdhp, plan, plans, health, healthcare, insurance, choice, advantage, plus, select, community, care, of, the, and, network, group, company, open, access, basic, standard, premier, gold, silver, bronze, platinum");
export const PLAN_KINDS = new Set("ppo hmo epo pos hdhp".split(" "));
/** Words that an interest's name has and that do not tell it apart. */
export const INTEREST_WORDS = list("health, care, medicine, and, of, the");
/** Of an interest, these alone are too little to name it. */
export const COMMON = list("women, womens, men, mens, primary, preventive, family, general, mental, early, clinician, native, physical, healthy, work, community, digestive, internal, black, white, chronic, hormones");

/** Names of languages besides those that the browser knows, by code. */
export const LANGUAGES = {
  ase: "sign language, asl, deaf, lenguaje de senas, lengua de senas", fa: "farsi", cmn: "chinese, mandarin, chino, mandarin, 中文, 普通话, 國語", yue: "chinese, cantonese, cantones, chino, 中文, 粵語, 廣東話", zh: "chino, mandarin, 中文",
  es: "castilian, castellano", tl: "tagalog", ht: "haitian, creole, criollo, kreyol", pa: "panjabi", nv: "navajo", ps: "pushto",
};
/** Codes of languages that patients ask for. */
export const CODES = "ar am bn my cmn yue cs da nl en fa fi fr de el gu ht he hi hmn hu ig id it ja km ko lo ml mr ne nv no om ps pl pt pa ro ru sm sr so es sw sv tl ta te th ti tr uk ur vi yi yo ase".split(" ");

const FILLING = new Set(`a able about accept* afraid after again ago all also always am an and another any anybody anyone anything appointment* appt apt are around as ask at availab* be because been before best better book* both but by call can cant care check \
clinic* close come consult* could covered coverage cover dad date day days different do does doing dont each either else ever every* experience* feel* few find first for friend* from get* give go going good got had has hate have haven* having he health healthcare hello help* her here him his hi hey hour* how \
husband i id if im in insur* into is issue* it its ive just keep kind kindly know last later let licensed like* listen* little live* living local long look* lot love many may maybe me medical meet mine most mother mom much must my myself name named near* need* network never new next nice no not of off office ok okay on one online only \
open* or other our out over partner patient* people person plan* please possible prefer* problem* provider* question* ready really recently recommend* right s said saw say schedule* see seeing seen seem* send* serve* set she should show sick since slot* so some* speak* special* start state* still suffer* support sure symptom* \
t take taken takes taking talk* team telehealth telemedicine than thank* that* the their them then there these they theyre thing* think* this those through time times to together too took treat* try* understand* until until up us use* using usually video virtual visit visits want* was way we well were weve what whats when where which while who whom whos whose why wife will with within without wonder* work* would year* yet you your hope* hoping \
acept* acerca ademas al algo alguien algun* aqui asi atien* atencion aun aunque ayud* bien buen* busc* cerca cita citas clinica como con conmigo consulta* cosa creo cual* cualquier* cuando cuenta da de debo del desde dia dias disponib* donde duele e el ella ellos en encontrar entre eres es esa ese eso espos* est* favor fin gracias gust* ha habl* hace* hacia \
han hasta hay he hij* hola hora* ir la las le les licencia libre* lo los mama marido mas me mejor mi mis mism* much* muy nada necesit* no nos nosotros nuestr* nuev* o otr* paciente* padre madre para pero persona* plan* por porque prefer* profesional* proveedor* pued* podria que quien* quier* quisiera recom* reserv* saber salud se sea segur* aseguranza ser si siempre siento \
sin sintomas sobre solo son soy su sus tal tambien tan te telemedicina ten* tiempo tiene* tod* toma* trat* tu turno* un una unas uno unos usted* u va vamos ver vez vida videollamada visita* viv* voy y yo lugar sufro padezco`.split(/\s+/));
const LEAST_STEM = 2;
/** Whether a word means nothing for the search. */
export const isFilling = (word) => FILLING.has(word) || [...word].some((_, at) => at >= LEAST_STEM && FILLING.has(`${word.slice(0, at + 1)}*`));

/** Phrases that mean nothing for the search although a word of them would. */
export const NOTHING = list(`all the time, all day, health insurance, my insurance, cita medica, citas medicas, consulta medica, consultas medicas, atencion medica, seguro medico, seguros medicos, \
taking new patients, accepting new patients, takes new patients, accepts new patients, accept new patients, take new patients, see new patients, seeing new patients, sees new patients, new patients, acepta pacientes nuevos, pacientes nuevos, nuevos pacientes, \
in person, video call, at home, my wife, my husband, my mother, mi esposa, mi esposo, mi madre, mas tarde, a veces, medical care, por telefono, united states`);
