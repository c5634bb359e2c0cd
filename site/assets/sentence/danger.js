// Words of danger, in English and in Spanish, and the number to call first.

import { isNear, isNearStart } from "./words.js";

const SELF = "myself/himself/herself/themselves/themself/ourselves";
const PILLS = "pill/tablet*/capsul*/pastilla*/pildora*/meds/medicina/medication*/medicamento*/painkiller*/tylenol/acetaminophen/acetaminofen/paracetamol/advil/ibuprofen*/motrin/aleve!/aspirin*/benadryl/excedrin/naproxen*/melatonin*/xanax/ambien/klonopin/valium/ativan/oxycodon*/percocet/vicodin/tramadol/trazodone/zoloft/lexapro/prozac/seroquel/adderall/gabapentin*/metformin*";
/** A slash stands between words of which one is said, a star for any ending, ~ for some words; a word before ! bears no mistake, # is more than two, and ## ten or more. ^ is the beginning, a period the end of a clause, and $ that of the text. */
const SUICIDE = `want/wanna/going/gonna/thinking/quiero/voy ~ take/taking/swallow/tomar* ~ ## ~ ${PILLS}, kill/hurt/hurting/harm/harming/cut/cutting/hang/punish/killing/shoot/burning/starve/starving/hate/burn! ${SELF}, cut/cutting my/his/her arms!/wrist, \
quiero lastimar*, crisis hotline/line, mental health crisis, ending things, end/ending everything, not worth living, tired/done of/with life/living/everything/existing, it/everything to end, need/urge to cut ., \
to end it/this ./now/today/soon/tonight, want/wish it/this/everything to be over/done ., it all to end/stop, end/ending it all, end/ending my pain/misery/suffering, point in/of/to anything/existing/life/living/continuing, point ./anymore/anyway, \
point in/of going/carrying on ., to end myself/things, wants/wanna/going/wanting/wanted to die, want/need out ., gonna end it, cant/cannot keep doing this/it, cant/cannot take this/it/life anymore/any, do/doing this/it/life anymore, dont wanna live, \
dont/doesnt/not want to be alive/here, cant live like this, take my/his/her own life, end/ending/take/taking my/his/her/own life, way out of this/life, feel/feeling like dying, tired of fighting/trying/struggling ., \
cant/cannot keep/carry on/going/fighting/trying this/./anymore/like, dont care anymore ., cant/cannot go on ./like/anymore/without/with/much/living, life is not worth, life isnt worth, life is/feels over/empty/pointless/meaningless, \
nothing ~ live for, nothing ~ matters now/./anymore, i dont matter, life has no, do/doing something ~ to myself, something i wont/cant/cannot take/undo, might/could do to myself, shouldnt/cant/cannot be alone right/tonight/./now/with my, \
safe with/from/around/by/alone/being ~ thoughts/myself, keep existing/living, trust myself, terrible/horrible/darkest/bad/scary/dark thoughts, tired of being alive/anymore, of what i might/may/will/would/could, \
better/happier/easier if/without/off ~ me/gone/dead/died/disappeared, better/happier/off without him/her/us, want/wish to disappear, quiere matar, queria/preferiria/quiere/prefiero morir*, pienso/pensando/pensar en matar*/morir*, voy/va a matar, \
vivir o morir, quitar/quitarse la vida, me/se quito la vida, me rindo, que sentido tiene todo/./vivir/seguir/nada/ya, no reason/purpose ~ to live/continue/stay, sin sentido ./vivir/seguir, hay/tiene caso ./seguir/vivir/nada/ya, \
sentido a/en la/mi vida, vida ~ ni/no/tiene sentido, nada ~ tiene sentido, nada ~ importa ./ya, sentido a/en seguir/todo/esto/vivir/nada, no vale la pena ./ya/nada, la pena continuar/seguir ./asi/vivi*/aqui/adelante/luchando, \
para que seguir/sigo ./asi/viv*/aqui, vida no vale, para/por que vivo/vivir, quisiera que amaneciera, no valgo nada, ya no quiere/quisiera vivir/estar/despertar, no quiere vivir, en la muerte, dormir* ~ no despertar, no quiero despertar, \
no quiero/quisiera estar aqui, estoy/estado/esta/ando cortando nuevo/./otra/de/mucho, no amanecer/amaneciera/amanezca ./manana, no quiero amanecer ./manana, cortando los/las/mis brazos/venas/munecas/piernas, \
me/te/se cortan/corte los/las brazos/venas/munecas/piernas, mejor/estar muert*, pena vivir, dejar de existir/vivir/respirar, no quiero existir, no quiero estar viv*, ya me canse ., cansad*/canse/hart*/aburrid* de existir/vivir/sufrir/luchar/todo, \
ya no puedo/doy mas, no merezco vivir, dejar de sufrir ., cansad*/canse/hart*/aburrid* de la/mi/esta vida, regale/regalado/regalar ~ mis ~ cosas/pertenencias, todos ~ cansad*/hart* de mi, miedo a/de mi misma, \
me lastimo!/corto!/golpeo! ./cuando/a/mucho/para, quemo!/corto!/dano/pego!/golpeo ~ a mi misma, if i was/were gone/dead, dont/doesnt deserve to live, dont/doesnt/not want/wanna to live/exist, dont/doesnt want to go on, \
no reason to go/keep/be alive/here/on/going/living, wish i was/were dead, unalive, will to go/fight/live, why am i here/alive, why am i still/even here/alive, go/fall asleep/to ~ never/not wake, wish i could die, giving ~ everything away, \
gave/giving/given up hope/on life/living/everything/., i/to/like/just giving/give up ., sleep forever, pain to end/stop/go ./forever, pain to end/stop for good, a burden to/./on/and/for, no hope ./for/anymore/left, i could/would/should disappear, \
i/he/she/just/wanna disappear, disappear forever, wanna die, dont/doesnt/not want/wanna ~ wake up, want/wanna to be dead, dont/doesnt/not care if/whether i/he/she live/die, rather not wake, goodbyes to/., rather die, rather not/be dead/exist, \
danger for/to myself, letters/notes for/to my/the/each/all, giving/give ~ belongings/possessions/stuff/things, have ~ nothing left ., cant/cannot cope ./anymore, just cant anymore, and/about/of jumping off/., make the/it pain/stop/voices, \
bridge ~ jump*, jump/jumping off/from the/a bridge/cliff/roof/window/building/balcony, front of the/a train/truck/bus, wish i ~ never/not/didnt ~ born/existed/alive/exist, ill/would/could/to/and never wake up, in heaven, \
goodbye letter/note/message/video/., dead inside, goodbye family/everyone/everybody/all/world/cruel/forever, will/would anybody/anyone ~ notice/care if/., no one/nobody would ~ notice/care if, would notice/care/miss if i/me, nada vale la pena, \
if i died/disappeared, been/keep/started/am/im cutting again/., i/ive got/have ~ pills/meds ready, saving/saved/hoard*/collecting/stockpil*/stash* ~ pills/meds, why bother anymore/./living, \
feel/feeling/felt/totally/im/am/is/completely/so hopeless/worthless, no/other/any/only/a way out ./for/anymore/but, everyone/everybody/theyre ~ sick/tired of me, ready to die, already wrote/written my/the/a letter/note, not waking up tomorrow, \
tomorrow never/doesnt came, be a tomorrow, to see tomorrow ., no future ./for/anymore, see any/a way forward, see/have ~ any/a/my future ./for/anymore, pills ~ in my hand, \
do/doing something drastic/rash/terrible/bad/crazy/reckless/awful/desperate/dumb/stupid, thinking/think/thought/want/going/gonna/might/planning/tempted/could ~ take/taking/swallow/swallowing ~ all ~ pills/meds/them, \
survive/through the night/tonight, take/taking/swallow/swallowing/took them/these all, wake up again/anymore, dont need me ., carga para todos/mi/ellos/los, mejor sin el!/ella! ., felices/mejor sin mi!, \
fuerza/razon/razones/motivo para continuar/vivir/seguir, hacerme dano/algo, quiere/quiso hacer dano/algo, miss! me, only/hope/pray/wish i ~ dont/never/not/didnt/wouldnt/wont wake, nadie ~ echa* de menos, a nadie le importo!, peligro para mi!, \
im/am/so done ., quien/nadie ~ extranar*/extrana!, perdonen!/perdon!/perdoname por todo, estorbo!, ganas de morir*, sin/perdi/ninguna/las/tengo ganas de vivir/seguir/existir, ni de vivir, feel trapped, nadie me quiere/necesita, no sirvo para nada, \
kms, dispararme, juntando!/junte!/juntado!/guardadas/guarde!/guardado/escond*/acumul* ~ pastillas, tomar* ~ todas ~ pastillas, tengo ~ pastillas ~ listas/mano!/guardadas, tengo ~ list* ~ pastillas, gun ~ loaded, no le importo! a, no soporto mas, \
no escape, ojala me muriera/muera, si me muriera/muera, si yo no estuviera/existiera, nunca/no hubiera/hubiese/haber nacido, not/wont be here/alive/around anymore/much/longer, if i wasnt/werent here/alive/around, \
wish i never/hadnt/wasnt/werent here/alive/born/been, suicid*, dormir*/descansar/irme/dolor/sufrimiento para siempre, siento/soy/ser/como/es una carga, ya no aguanto/soporto esto/vivir/nada, no aguanto/soporto vivir/la/mi/esta vida, \
si no estuviera/existiera/despertara, no aguanto ./mas, ahorcarme, autolesion*/cortarme/lastimarme, arrojarme/lanzarme/aventarme/tirarme a/de/del/desde/al, ya escribi ~ nota/carta, nota/carta/video/mensaje de adios/despedida, \
despido!/despedi!/despidiendo/despedir* ~ de ~ ustedes/todos/mis/familia/hijos/vida, adios a todos, adios a mis/la/mi familia/hijos/vida, adios todos/mama/familia/vida/cruel/mundo, de este mundo, ya se acabo todo, todo se acabo, \
no puedo con la/mi vida, hijo se corta, una/es ultima/mi despedida, en el cielo, perdonenme, matarme, me da igual si vivo/muero, me da igual vivir/morir, sin mi! serian/vivirian/estarian, \
no quiero/puedo seguir ./asi/viviendo/mas/aqui/adelante/luchando, salvo/solas/seguro conmigo, me odio, que esto ~ termine/acabe ., que todo ~ termine/acabe/terminara/pare/acabara, acabar/terminar con su/mi vida/sufrimiento, acabar/terminar con todo, \
con esta vida, pensamientos/ideas ~ negr*/malos/feos/oscur*, sin salida, veo/hay/encuentro/queda otra/ninguna/la/una/mas salida, veo/hay/encuentro salida, veo/hay/encuentro/tengo futuro, cometer/hacer alguna/una barbaridad/locura/estupidez/tonteria, \
confio en mi misma, fio de mi, miedo ~ lo que haga, talk to/with someone/somebody/anyone ~ not ok/okay, not ok/okay ~ talk to/with someone/somebody/anyone, not doing ok/okay/well ~ someone/somebody, me/se hago/hace dano ./cuando/a/mucho/yo, \
me van/va a extranar!, thinking/think/thought of/about dying/death, odio/hate my/mi vida/life, self injur*/destruct*/harm*, perdi ~ esperanza*, sin/hay/ninguna esperanza*, tragarme/tomarme/tomarmelas ~ todas, lost all hope, mejor ~ no despert*, \
ojala ~ no despert*, hablar con alguien ~ no/me/estoy/siento estoy/siento/muy bien/mal, no/me/estoy/siento estoy/siento/muy bien/mal ~ hablar con alguien, end of my rope, no despert* nunca/jamas, gustaria/quiero/quisiera/prefiero no despert*, \
ojala/quiero/quisiera desaparecer, if i swallowed/took them/these/all, miedo ~ lo que pueda/podria/voy/vaya ~ hacer*, 988, ver el manana, no hubiera/haya manana ., noose`;
const KIN = "dad/father/mom/mother/husband/wife/son/daughter/baby/child/kid/toddler/brother/sister/grandma/grandmother/grandfather/friend/partner/he!/she!";
const PARIENTE = "papa/padre/mama!/madre/esposo/marido/hijo/bebe/nino/hermano/abuelo/amigo/pareja/el!/ella!";
const CHILD = "baby/babies/newborn/infant/child/children/kids/toddler/old!/son/daughter/twins/bebe/hijo/nino/gemelos";
const OTHERS = "husband/wife/partner/boyfriend/girlfriend/ex/spouse/fiancee/dad/he!/she!/they!";
const OTROS = "esposa/marido/pareja/novia/ex/papa/el!/ella!";
const PEOPLE = "someone/people/alguien/gente";
/** What may end with someone else hurt: 911, and 988 to talk. */
const HARM_ROWS = `want/wanna/going/gonna/afraid/scared/urge/thoughts/thinking/feel ~ hurt/hurting/harm/harming/kill/killing/shake!/shaking/smother*/drown*/suffocat*/strangl*/hitting/throwing ~ ${CHILD}/${PEOPLE}, \
i could/might/may/will/would/almost hurt/harm/kill/shake!/smother/drown ~ ${CHILD}, homicid*, \
quiero/quisiera/ganas/miedo/podria/voy/pienso/pensamientos/ideas ~ lastim*/dano/danar*/matar*/ahogar*/asfixi*/golpear*/pegar*/sacudir* ~ ${CHILD}/${PEOPLE}, i/ive hurt/shook/hit!/choked/burned my/the ${CHILD}, hear/hearing/oigo/escucho voices/voces, \
kill/hurt someone/somebody, voices/voces ~ tell*/dice*/kill`;
/** Alone they are a cry, and "help me sleep" is none. */
const CRY = `^ help!/sos/ayuda/ayudenme/socorro $, ^ help! me/us/please/pls ./now/please, ^ please/pls/somebody/someone/anybody help! $, ^ please/pls/somebody/someone/anybody help! me/us ./please, ^ i need help! ./now, ^ need help! ., \
^ ayud*/por por/favor favor/ayud* $, ^ necesito ayuda ./ya/ahora/urgente, emergenc*, 911, in crisis, en crisis, am/im not ok/okay $, no estoy bien $`;
const SWALLOWED = "took/taken!/swallowed/ate!/popped/downed/chewed/tome!/tomado/trague/trago/tragado/ingeri*/comi!/comio!";
const SWOLLEN = "swollen/swell*/hinch*/inchad*";
const HOT = "hot!/warm!/red!/caliente/roja";
const SURGERY = "surgery/operated/procedure/hysterectomy/section!/cirugia/sirugia/operacion/operaron/operada/cesarea";
const FEVER = "fever/feverish/chills/temperature/fiebre/calentura/escalofrio*";
const STIFF = "stiff/rigid*/tieso";
const SUDDEN = "suddenly/sudden/repente/repentin*/subit*";
const SEVERE = "severe/terrible/horribl*/worst/fuerte/bad";
const HEAD = "headache/migraine/head!/cabeza";
const LIMB = "legs/calf/arm/thigh/pierna/pantorrilla/brazo";
/** A wrong or a double dose, for which Poison Help is there. */
const DOSES = `${SWALLOWED} ~ double/twice/doble/extra/wrong/equivocad* ~ ${PILLS}/dose/dosis`;
const EMERGENCY = `half of my/his/her face, overdos*, take/taking/tomo/tomar* ~ ## ~ ${PILLS}, ${SWALLOWED} ~ # ~ ${PILLS}, ${SWALLOWED} ~ bottle/frasco, whole/full/entire bottle, had! ## ${PILLS}, ^ ## ${PILLS} last/hace/anoche/./ago/and/de/y/at, \
me/se tomo ~ # ~ ${PILLS}, ${FEVER} ~ ${SURGERY}, ${DOSES}, ${LIMB} ~ ${HOT} ~ ${SWOLLEN}, ${SWOLLEN} ${HOT} ${LIMB}, ${SWOLLEN} ~ ${HOT} ./but/and/to/too/y/also/right/since/desde/al/with/con/e, one/left/right calf/leg ~ ${SWOLLEN}, \
${HOT} ~ ${SWOLLEN} ${LIMB}, ${SWOLLEN} ~ clot*/coagul*, trombo*/clot*/coagul* in/en my/the/his/her/mi/el/la/una ${LIMB}/lung*/cerebro/pulmon*/brain, ambulanc*, pierna izquierda/derecha ~ hinch*, hinch* ~ lengua/labios/garganta, \
una/izquierda/derecha/sola pierna ~ hinch*, rompio/revento la fuente, lengua/labios/garganta ~ hinch*/cerr*, cerr* ~ garganta, inconsciente, pad/pads!/tampon*/toalla ~ hour!/hora!/minut*, worst headache/migraine ~ ever/life, \
repente ~ debil*/confund*/ciega, asfixi*, words ~ garbled, ${FEVER} ~ ${STIFF}, ${STIFF} ~ ${FEVER}, ${SUDDEN} ~ ${HEAD} ~ ${SEVERE}, ${SEVERE} ~ ${HEAD} ~ ${SUDDEN}, ${HEAD} ~ ${SEVERE} ~ ${SUDDEN}, ${HEAD} ~ ${SUDDEN} ~ ${SEVERE}, \
${SEVERE} ~ ${SUDDEN} ~ ${HEAD}, ${SUDDEN} ~ ${SEVERE} ~ ${HEAD}, couldnt/cant/cannot/wont/doesnt/not stop trembling/shaking/shivering/twitching, unconscious, not conscious, mordi* ~ vibora/culebra/serpiente, \
gonna/feel/feeling/keep/keeps faint/fainting, keeps fainting, every/cada/por/an hour!/hora! ~ pad/pads!/tampon*/toalla, ${SURGERY} ~ ${FEVER}, ${SUDDEN} ~ disorient*/confus*/desorient*, \
disorient*/confus*/desorient* ~ suddenly/sudden/shak*/fever/repente/repentin*/subit*/fiebre, shortness/short of breath, heart stopping/stopped, stopped breathing, slurr*, trembl*/shak*/shiver* ~ nonstop/violent*/uncontrol*, \
trouble/difficulty breathing, someone/somebody/alguien ~ gun/knife/pistola/cuchillo, traba la lengua, trabaja/batall* para respirar, no respira, desmay*, dificultad para respirar, apenas logro/puede respirar, bleeding/bleed to death, heart attack*, \
asthma attack, lost ~ of blood, losing ~ blood, blood! ~ gush*, gush* ~ blood!, bleeding wont/doesnt/not stop, stop bleeding, am/im bleeding, took/take ~ too much/many ~ insulin/tylenol/medicine/medications/meds/drugs/sleeping, demasiadas pastillas, \
tomo muchas pastillas, todas mis/las/sus pastillas, le/me va la vida ./ya/y, quemadura* ~ tercer/quimica*/segundo, arrastra* las palabras, le/me volte*/duerm*/jal*/durmi* ~ cara!/boca!, fue de lado, enchuec*/tuerc*/torc*/chue* la cara/boca, \
hard to breathe, no puede/siente el/la/un/los/las/mover ~ lado/brazos/cuerpo/cara!/piernas, duerme/durmio/paralizo ~ mitad/medio ~ cuerpo, envenena*, no ~ dejo/paro/parar/puede ~ tembl*, estoy/esta muriendo, cuesta respirar, \
falta de/el/la respiracion/aire, siento que me muero, duerme/durmio/dormida/paralizo media/un cara/lado, paro respiratorio/cardiaco, ataque cardiaco, cardiac arrest, fainted, \
elephant/crush*/squeezing/pressure/heavi*/weight/tight*/pain*/stabb* ~ chest!, chest ~ numb/tight*/pressure/strange/heaviness/funny/elephant/crush*/squeez*/heavy!/weird/hurt*/pain*/stabb*/explod*, left arm ~ numb*/weak/hurt*/pain*/ting*/heavy, \
gasping, pain*/ting*/numb*/ach* ~ left arm, pain* ~ into/to/down/through my/his/her arm/jaw, chestpain*, unable/barely/struggl* to breath*, getting/get enough air, sobredosis, no ~ entra ~ aire!, cant get air, choking, lips ~ blue!/purple, \
repente ~ no puede/ve!/veo, went/turn*/going/gone blue!/purple, blue lips, face/smile/mouth ~ crooked/droop*/sagg*/numb, face fell/dropped, side ~ face/body ~ numb/weak/paraly*/droop*, one side of my/his/her face/body went/is/feels, \
couldnt/cant/cannot move/feel my/his/her/the baby/side/face/arms/legs/left/right, couldnt/cant/cannot wake my/him/her/them, heartattack, numb/weak/move/lift ~ suddenly/sudden, suddenly/sudden ~ blind/cant/weak*/confused/vision/numb*/see/speak/talk, \
lost ~ vision suddenly, cant/cannot speak/talk/see suddenly/properly/straight/clearly, cant/cannot smile, fuga de gas, cant/cannot ~ breath*, isnt/not/couldnt breath*, massive/huge/giant clots!, \
bleed* ~ badly/profusely/nonstop/faint*/heavily/everywhere/pregnan*/uncontrol*, pregnan* ~ bleed*/hemorrh*/blood!, blacked out, bleeding a lot, bleeding out, scalded/burned!/burnt! ~ badly/boiling/oil/chemical*/hands/face/arm/skin/body/leg, \
took/taken a lot of pills, took/taken all my/his/her/the pills, ingested/swallowed/ate/drank ~ bleach/battery/batteries/detergent/antifreeze/cleaner/magnet*/chemical*/pills, in/into/de labor/parto, passed/passing out, infarto, \
cant/cannot/dont/not/havent feel/feeling/felt ~ baby mov*/kick*, baby ~ not/stopped/isnt/hasnt mov*/kick*, baby ~ mov*/kick* ~ less, no/less/decreased/reduced kicks/movement* ~ baby, been/got/was/were shot!/stabbed, \
${KIN} ~ swallowed/ate/into ~ pills/meds/medicine/medications, ${KIN} ~ isnt/stopped/wont/doesnt/not wake/respond*/waking/moving/responsive/breath*, severe/bad/chemical burns, foaming at, coughing/throwing up blood, lost consciousness, \
barely breath*, by a snake/rattlesnake, severe/bad/serious/having allergic reaction, severe bleeding, allergic reaction ~ breath*/swell*/throat, swell* ~ tongue/lips/throat, having a miscarriage, having a fit, having an allergic reaction, \
tongue/lips/throat ~ swell*/closing/closed, tomo ~ demasiad*/frasco, no puedo/logro/podemos despertar*, presion/opresion en el pecho, pecho! ~ dormido/oprime/elefante/aplast*/aprieta/duele/dolor*/apretado, \
dolor*/aplast*/aprieta/duele/oprime/elefante/punzada*/peso!/apreton/ardor ~ pecho!, auxilio, ataque al corazon, is/im dying, snake bit*, snakebite, choque alergico/anafil*, ahogando/ahogo!, atragant*, move one side, \
quem* ~ brazo/hirviendo/grave/aceite/mucho/cuerpo/cara!/agua/manos, gunshot, no siento ~ bebe, duerme/dorm*/adorm*/entum*/duele/dolor*/hormigu* ~ brazo izquierdo, peor dolor de cabeza, \
brazo izquierdo ~ duerm*/dorm*/adorm*/entum*/duele/dolor*/hormigu*, cayo/caida/paraliz*/dorm*/adorm* ~ cara!/boca!, fue/cae ~ cara!/boca! ~ lado, balazo, cara!/boca! de lado, epipen, cara!/boca! ~ cayo/caido/dormida/torcid*/chueca/paraliz*, \
ataques epilept*, no ~ puede respirar, bebe ~ no ~ mov*/muev*/respirando, anaphyla*, hablar enred*, no ~ puede hablar bien/claro, kill/hurt someone/somebody, contraction*/contraccion*, estoy sangrando, about/going to faint/pass, poison*, espuma por, \
vomiting blood, sangra/sangrando ~ parar/mucha/muchisimo, perdiendo/perdio ~ sangre/conocimiento, apunal*, unresponsive, vomito/escupo sangre, bebe ~ mueve ~ menos/poco, no ~ movido/mueve/sentido ~ bebe, nearly/almost drowned, \
no le/me/para!/deja para!/deja/la/el/de ~ sangr*, dizz*/lightheaded/mare* ~ bleed*/sangr*, bleed*/sangr* ~ dizz*/lightheaded/mare*/chorros, ${PARIENTE} ~ no ~ responde/reacciona/despierta, no se despierta, no reacciona/despierta, \
reaccion alergica ~ grave/fuerte/severa/respir*, ataque ~ asma, trago/tragado ~ pastillas/medicina*/medicamento*, urgencia medica, ${PARIENTE} ~ tomo/trago/comio mis/las ~ pastillas/medicina*, \
trago/tragado/tomo/comio/ingirio/bebi ~ bateria*/cloro/lejia/detergente/pilas/veneno, passing ~ big!/large/giant clots!, clots!/coagul* ~ tamano/enorm*/size/gigant*, monoxido de carbono, pone/labios/poniendo/puso morad*/azul!/azules, \
ech*/sal* ~ coagul* ~ grandes, electrocut*, hemorrhag*, water broke, coagulotes, stroke, collapsed, carbon monoxide, colapso, desangr*, embaraz* ~ hemorr*/sangr*, sangr* ~ embaraz*, third degree burn*, seizure*, no pulse, convuls*, thunderclap, \
dispar* ~ me!/le!/lo!, hemorragia, no tiene pulso, derrame cerebral, un derrame`;
/** Beside a medical danger, these aren't wishes of their own. */
const BESIDE = "dizz*/lightheaded/mare*/nause*/peso!/numbness/tingling/hormigueo, heavy bleeding/period, sangrado/regla abundante";
const ABUSE = `agresion sexual, sexual/sexually assault*, violencia intrafamiliar/domestica, miedo a/de mi ${OTROS}, me pega!/pego!/golpeo/maltrata mi ${OTROS}, got/was raped, partner/domestic violence/abuse, me violaron/violo, \
no ~ siento/estoy seguro con mi ${OTROS}, ${OTROS} me pega!/pego!/golpeo/maltrato, no ~ siento/estoy seguro ~ casa!, abuso de mi, miedo ~ regresar/volver ~ casa!, golpes de mi ${OTROS}, ${OTROS} me ahorco/empujo/pateo/cacheteo/amenazo/encierra, \
is/was/been/keeps abusing/hurting/scaring/choking/beating/hitting/threatening me, ${OTHERS} ~ threat* ~ kill/hurt ~ me!, ${OTHERS} puts/laid his/her hands on me, \
${OTHERS} raped/beats!/slaps/abused/slapped/punched/hits/choked/strangles/kicks/kicked/pushes/shoves/threatened/forces/threatens/beat!/hurts! me, afraid/scared to go home, afraid/scared of my ${OTHERS}, is/was abusive, \
abusive ${OTHERS}/marriage/relationship, not safe with him/her, unsafe at home, not safe around/at home/him/her, battered, dont feel safe around/at/with`;
/** Another's threats, whose words would else be one's own. */
const THREATS = `${OTHERS} ~ will/going/gonna/wants ~ kill/shoot me!, amenaz* ~ matar*/muerte/pistola/cuchillo, novia/marido/esposa/pareja/ex!/papa ~ va/quiere/van ~ matar*`;
/** What has such words and isn't a danger. */
const CALM = `saving/saved money, isnt an emergency, no es emergencia, no es una emergencia, not an emergency, not/non emergency, desaparecer los/las/el/la, todas mis pastillas/medicinas en/cada/por/con, \
take/taking/tomo ~ ## ~ pills/pastillas ~ dia/day/daily/every/cada/diarias, heating pad, respond* a/to/al, need/surtir*/refill*/receta ~ ## ~ pills/pastillas/tablets, hopeless at/with, \
take/taking all my pills/meds/medicines at/with/every/after/before/in, dying to, cut myself some slack, estar con mi medic*/doctor*, mas con mis/los/las/el sofocos/calores/calor/sudores/insomnio/bochornos, muero por, hablar bien ingles/el/en, \
despertar/despiert* descansad*/cansad*/temprano/en/tan, goodbye to my old, bleed*/sangr* ~ period*/regla/menstrua*, had a clots/blood, killing me, boca abierta, be here all/long, better off with, seizure medic*/doctor/refill*, muero de`;
/** The same, and what they name is looked for. */
const NAMED = `fecha/plan de parto, labor and delivery, contraction*/contraccion*/labor/parto/fainted ~ years/anos, muscle contraction*, wake/waking up rested/so/tired/exhausted/too/early/every/at, wake/waking up in the night/middle, \
^ i/im take/taking ## medication*/medicines ./a/and/for/daily/every, stroke of/prevention/risk/survivor/recovery, stroke last year, derrame ocular/pleural/en, irregular/light bleeding, sangrado irregular/leve, \
^ i/im take/taking ## different medication*, dying of, ^ tomo ## medicamento*/medicinas ./y/al/para, emergency contraception/contraceptives/medicine/contact, heart attack prevention/risk/survivor, poison oak/sumac/ivy, of a heart attack, \
heat stroke, of a stroke, history of heart/stroke, history of heart attack, receta de`;

/** Who had clots comes for no bleeding. */
const PAST = "history/historial/antecedentes of/de clot*/coagul*, history of blood clot*, clots family history";
/** Of bleeding, the page says first when to call 911, even where it is what someone comes for: "irregular bleeding". */
const BLEEDING = `period/periods/regla ~ after/despues ~ menopaus*, bleed*/bled!/spotting/clot!/clots!/coagulos/sangra*/sangro!/zangr*/manchando/hemorrhag*, blood in/from/on/when my/the/i/urine/stool/poop/pee/semen, lots/much of blood, \
losing/peeing/pooping/spitting/coughing blood, sangre en/al/por mi/la/el/orinar/defecar/nariz orina/popo/heces/excremento/nariz/recto/taza/papel/., sangre al orinar/defecar/toser, mucha sangre, tirando/orino/salida/sale/hay/perdiendo/con sangre`;

/** What was already taken can't wait for a talk. */
const OVERDOSE = `${DOSES}, ${SWALLOWED}/overdosed ~ all!/them!/these!/whole/bottle/handful/pills/todas/todo!/frasco/pastillas, ${SWALLOWED} ~ # ~ ${PILLS}, overdosed`;
const UNDONE = new Set("if almost wish si casi".split(" "));

/** The National Domestic Violence Hotline. */
export const ABUSED = "1-800-799-7233";

/** An overdose: poison help, and 988 after 911. */
export const OVERDOSED = "taken";
/** A cry for help that doesn't say of what. */
export const HELP = "help";
/** What may be one: the search goes on beside it. */
export const MAYBE = "maybe";

/** Rows of words: of each, what may stand for it. */
const phrases = (text) => text.split(", ").map((phrase) => phrase.split(" ").map((word) => word.split("/")));
const TABLE = [[OVERDOSED, phrases(OVERDOSE)], [ABUSED, phrases(THREATS)], [undefined, phrases(PAST)], [MAYBE, phrases(BLEEDING)], [false, phrases(CALM)], [undefined, phrases(NAMED)], [HELP, phrases(HARM_ROWS)], ["988", phrases(SUICIDE)], ["911", phrases(EMERGENCY)], [HELP, phrases(CRY)], [ABUSED, phrases(ABUSE)], [BESIDE, phrases(BESIDE)]];

const LEAST_NEAR = 4;
/** Alone, shorter words are too much like others: "choking" is no "cooking". */
const LEAST_NEAR_ALONE = 8;
const STARTS = ["suicid", "emergenc"];
const STRICT_STARTS = ["overdos"];

const A_FEW = /^(?:[3-9]|\d\d+|three|four|five|six|seven|eight|nine|tres|cuatro|cinco|seis|siete|ocho|nueve)$/;
const LOTS = /^(?:\d\d+|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|dozens?|handful|bunch|diez|once|doce|quince|veinte|treinta|cuarenta|cincuenta|cien|docena|punado|monton)$/;
/** "20 mg" isn't a number of pills. */
const UNIT = /^(?:m?c?[gl]|iu|units?|unidades|days?|weeks?|months?|years?|hours?|minutes?|[ap]m|times?|dias?|semanas?|mes(?:es)?|anos?|horas?|minutos?|veces)$/;

const isSaid = (word, known, isAlone) => {
  if (known.endsWith("!")) return word === known.slice(0, -1);
  if (known.endsWith("*")) {
    const start = known.slice(0, -1);
    return word.startsWith(start) || (STARTS.includes(start) && isNearStart(word, start, true)) || ((!isAlone || STRICT_STARTS.includes(start)) && isNearStart(word, start));
  }
  return word === known || (known.length >= (isAlone ? LEAST_NEAR_ALONE : LEAST_NEAR) && isNear(word, known));
};

const GAP = 5;
/** Where a row that begins at a token ends, or undefined. */
const endOf = ([words, ...rest], tokens, at, isAlone) => {
  if (!words) return at;
  if (words[0] === "^") return tokens.slice(0, at).every(({ isMark }) => isMark) ? endOf(rest, tokens, at) : undefined;
  if (words[0] === "$") return tokens.slice(at).every(({ isMark }) => isMark) ? at : undefined;
  if (words[0] === "~") {
    for (let skipped = 0; skipped <= GAP && at + skipped < tokens.length; skipped += 1) {
      if (skipped > 0 && tokens[at + skipped - 1].isMark && tokens[at + skipped - 1].word !== ",") return undefined;
      const end = endOf(rest, tokens, at + skipped);
      if (end) return end;
    }
    return undefined;
  }
  const token = tokens[at];
  if (words[0][0] === "#") return token && (LOTS.test(token.word) || (words[0] === "#" && A_FEW.test(token.word))) && !UNIT.test(tokens[at + 1]?.word) ? endOf(rest, tokens, at + 1) : undefined;
  if (words.includes(".") && (!token || token.isMark)) return endOf(rest, tokens, at);
  const isHere = token && !token.isMark && words.some((known) => isSaid(token.word, known, isAlone));
  return isHere ? endOf(rest, tokens, at + 1) : undefined;
};

/** Takes the words of danger; returns the number to call first, or false. */
export const readDanger = (line) => {
  const numbers = new Set();
  for (const [number, rows] of TABLE) {
    if (number === BESIDE && !numbers.has("911")) continue;
    for (const row of rows) {
      for (let at = 0; at < line.tokens.length; at += 1) {
        const end = endOf(row, line.tokens, at, row.length === 1);
        if (!end) continue;
        if (number === OVERDOSED) {
          if (!line.tokens.slice(Math.max(0, at - 2), at).some(({ word }) => UNDONE.has(word))) numbers.add(number);
          continue;
        }
        if (number === undefined) line.tokens.slice(at, end).forEach((token) => (token.isCalm = true));
        else if (line.tokens.slice(at, end).some(({ isCalm }) => isCalm)) continue;
        else if (number === MAYBE) line.tokens.slice(at, end).forEach((token) => (token.isSaid = true));
        else line.take(at, end - at);
        if (number === ABUSED) line.tokens.slice(at, end).forEach((token) => (token.isCalm = true));
        if (number) numbers.add(number);
      }
    }
  }
  if (numbers.has(OVERDOSED) && (numbers.has("988") || numbers.has("911"))) return OVERDOSED;
  return ["988", "911", ABUSED, HELP, MAYBE].find((number) => numbers.has(number)) ?? false;
};
