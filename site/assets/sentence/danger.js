// Words of danger, in English and in Spanish, and the number to call first.

import { isNear, isNearStart } from "./words.js";

const SELF = "myself/himself/herself/themselves/themself/ourselves";
const PILLS = "pill/tablet*/capsul*/pastilla*/pildora*/meds/medicina/medication*/medicamento*/painkiller*/tylenol/acetaminophen/acetaminofen/paracetamol/advil/ibuprofen*/motrin/aleve!/aspirin*/benadryl/excedrin/naproxen*/melatonin*/xanax/ambien/klonopin/valium/ativan/oxycodon*/percocet/vicodin/tramadol/trazodone/zoloft/lexapro/prozac/seroquel/adderall/gabapentin*/metformin*";
/** A slash stands between words of which one is said, a star for any ending, ~ for some words; a word before ! bears no mistake, # is more than two, and ## ten or more. ^ is the beginning, a period the end of a clause, and $ that of the text. */
const SUICIDE = `want/wanna/going/gonna/thinking/quiero/voy ~ take/taking/swallow/tomar* ~ ## ~ ${PILLS}, quiero lastimar*, 988, crisis hotline/line, mental health crisis, suicid*, \
kill/hurt/hurting/harm/harming/cut/cutting/hang/punish/killing/shoot/burning/starve/starving/hate/burn! ${SELF}, giving ~ everything away, end/ending everything, tired/done of/with life/living/everything/existing, keep existing/living, it/everything to end, \
want/wish it/this/everything to be over/done ., it all to end/stop, not worth living, point ./anymore/anyway, end/ending my pain/misery/suffering, point in/of/to anything/existing/life/living/continuing, point in/of going/carrying on ., \
wants/wanna/going/wanting/wanted to die, to end it/this ./now/today/soon/tonight, to end myself/things, gonna end it, cant/cannot keep doing this/it, do/doing this/it/life anymore, dont wanna live, dont/doesnt/not want to be alive/here, be a tomorrow, \
end/ending/take/taking my/his/her/own life, end/ending it all, ending things, better/happier/off without him/her/us, take my/his/her own life, way out of this/life, feel/feeling like dying, feel trapped, tired of fighting/trying/struggling ., \
cant/cannot keep/carry on/going/fighting/trying this/./anymore/like, cant/cannot go on ./like/anymore/without/with/much/living, life is not worth, life isnt worth, life has no, life is/feels over/empty/pointless/meaningless, nothing ~ matters now/./anymore, \
voy/va a matar, i dont matter, danger for/to myself, do/doing something ~ to myself, might/could do to myself, of what i might/may/will/would/could, safe with/from/around/by/alone/being ~ thoughts/myself, trust myself, self injur*/destruct*/harm*, \
do/doing something drastic/rash/terrible/bad/crazy/reckless/awful/desperate/dumb/stupid, something i wont/cant/cannot take/undo, queria/preferiria/quiere/prefiero morir*, quiere matar, vivir o morir, quitar/quitarse la vida, en la muerte, me/se quito la vida, \
pienso/pensando/pensar en matar*/morir*, ya se acabo todo, que sentido tiene todo/./vivir/seguir/nada/ya, sentido a/en la/mi vida, sin sentido ./vivir/seguir, sentido a/en seguir/todo/esto/vivir/nada, vida ~ ni/no/tiene sentido, \
hay/tiene caso ./seguir/vivir/nada/ya, nada ~ importa ./ya, nada vale la pena, nada ~ tiene sentido, no vale la pena ./ya/nada, vida no vale, la pena continuar/seguir ./asi/vivi*/aqui/adelante/luchando, para que seguir/sigo ./asi/viv*/aqui, pena vivir, \
no valgo nada, ya no quiere/quisiera vivir/estar/despertar, no quiero/quisiera estar aqui, no quiero despertar, no quiero estar viv*, sin mi! serian/vivirian/estarian, no quiero amanecer ./manana, estorbo!, estoy/estado/esta/ando cortando nuevo/./otra/de/mucho, \
cortando los/las/mis brazos/venas/munecas/piernas, me/te/se cortan/corte los/las brazos/venas/munecas/piernas, mejor/estar muert*, ya no puedo/doy mas, para/por que vivo/vivir, dejar de existir/vivir/respirar, no quiero existir, no quiere vivir, \
no merezco vivir, dejar de sufrir ., cansad*/canse/hart*/aburrid* de existir/vivir/sufrir/luchar/todo, acabar/terminar con su/mi vida/sufrimiento, ya me canse ., cansad*/canse/hart*/aburrid* de la/mi/esta vida, todos ~ cansad*/hart* de mi, miedo a/de mi misma, \
me/se hago/hace dano ./cuando/a/mucho/yo, hacerme dano/algo, me lastimo!/corto!/golpeo! ./cuando/a/mucho/para, quemo!/corto!/dano/pego!/golpeo ~ a mi misma, better/happier/easier if/without/off ~ me/gone/dead/died/disappeared, tired of being alive/anymore, \
cant/cannot take this/it/life anymore/any, dont/doesnt want to go on, dont/doesnt deserve to live, dont/doesnt/not want/wanna to live/exist, no reason/purpose ~ to live/continue/stay, want/wanna to be dead, cant live like this, dead inside, \
wish i was/were dead, wish i could die, will to go/fight/live, no reason to go/keep/be alive/here/on/going/living, if i was/were gone/dead, if i wasnt/werent here/alive/around, wish i never/hadnt/wasnt/werent here/alive/born/been, \
wish i ~ never/not/didnt ~ born/existed/alive/exist, only/hope/pray/wish i ~ dont/never/not/didnt/wouldnt/wont wake, dont/doesnt/not want/wanna ~ wake up, go/fall asleep/to ~ never/not wake, ill/would/could/to/and never wake up, tomorrow never/doesnt came/come, \
rather die, rather not wake, not waking up tomorrow, gave/giving/given up hope/on life/living/everything/., i/to/like/just giving/give up ., sleep forever, pain to end/stop/go ./forever, pain to end/stop for good, a burden to/./on/and/for, goodbyes to/., \
want/wish to disappear, i could/would/should disappear, i/he/she/just/wanna disappear, disappear forever, why am i here/alive, dont/doesnt/not care if/whether i/he/she live/die, rather not/be dead/exist, goodbye letter/note/message/video/., \
letters/notes for/to my/the/each/all, giving/give ~ belongings/possessions/stuff/things, and/about/of jumping off/., nothing ~ live for, unalive, have ~ nothing left ., bridge ~ jump*, jump/jumping off/from the/a bridge/cliff/roof/window/building/balcony, \
front of the/a train/truck/bus, goodbye family/everyone/everybody/all/world/cruel/forever, will/would anybody/anyone ~ notice/care if/., would notice/care/miss if i/me, no one/nobody would ~ notice/care if, if i died/disappeared, wanna die, \
if i swallowed/took them/these/all, cut/cutting my/his/her arms!/wrist, been/keep/started/am/im cutting again/., i/ive got/have ~ pills/meds ready, saving/saved/hoard*/collecting/stockpil*/stash* ~ pills/meds, why bother anymore/./living, lost all hope, \
no hope ./for/anymore/left, feel/feeling/felt/totally/im/am/is/completely/so hopeless/worthless, no/other/any/only/a way out ./for/anymore/but, \
thinking/think/thought/want/going/gonna/might/planning/tempted/could ~ take/taking/swallow/swallowing ~ all ~ pills/meds/them, survive/through the night/tonight, im/am/so done ., cant/cannot cope ./anymore, \
shouldnt/cant/cannot be alone right/tonight/./now/with my, everyone/everybody/theyre ~ sick/tired of me, end of my rope, ready to die, already wrote/written my/the/a letter/note, see/have ~ any/a/my future ./for/anymore, see any/a way forward, \
not/wont be here/alive/around anymore/much/longer, why am i still/even here/alive, to see tomorrow ., no future ./for/anymore, odio/hate my/mi vida/life, want/need out ., need/urge to cut ., terrible/horrible/darkest/bad/scary/dark thoughts, \
thinking/think/thought of/about dying/death, take/taking/swallow/swallowing/took them/these all, just cant anymore, dont care anymore ., wake up again/anymore, dont need me ., carga para todos/mi/ellos/los, adios a todos, felices/mejor sin mi!, sin salida, \
mejor sin el!/ella! ., make the/it pain/stop/voices, nadie ~ echa* de menos, ganas de morir*, quien/nadie ~ extranar*/extrana!, nadie me quiere/necesita, juntando!/junte!/juntado!/guardadas/guarde!/guardado/escond*/acumul* ~ pastillas, \
tengo ~ pastillas ~ listas/mano!/guardadas, gun ~ loaded, tengo ~ list* ~ pastillas, a nadie le importo!, no le importo! a, no soporto mas, ojala me muriera/muera, si me muriera/muera, si yo no estuviera/existiera, nunca/no hubiera/hubiese/haber nacido, \
no escape, dormir*/descansar/irme/dolor/sufrimiento para siempre, siento/soy/ser/como/es una carga, sin/perdi/ninguna/las/tengo ganas de vivir/seguir/existir, fuerza/razon/razones/motivo para continuar/vivir/seguir, peligro para mi!, me da igual si vivo/muero, \
no aguanto/soporto vivir/la/mi/esta vida, ni de vivir, matarme, ahorcarme, dispararme, autolesion*/cortarme/lastimarme, arrojarme/lanzarme/aventarme/tirarme a/de/del/desde/al, in heaven, nota/carta/video/mensaje de adios/despedida, \
despido!/despedi!/despidiendo/despedir* ~ de ~ ustedes/todos/mis/familia/hijos/vida, todo se acabo, adios a mis/la/mi familia/hijos/vida, hijo se corta, una/es ultima/mi despedida, adios todos/mama/familia/vida/cruel/mundo, perdonenme, \
regale/regalado/regalar ~ mis ~ cosas/pertenencias, me da igual vivir/morir, ya no aguanto/soporto esto/vivir/nada, no quiero/puedo seguir ./asi/viviendo/mas/aqui/adelante/luchando, con esta vida, no puedo con la/mi vida, salvo/solas/seguro conmigo, \
de este mundo, perdonen!/perdon!/perdoname por todo, acabar/terminar con todo, que todo ~ termine/acabe/terminara/pare/acabara, que esto ~ termine/acabe ., veo/hay/encuentro/queda otra/ninguna/la/una/mas salida, \
cometer/hacer alguna/una barbaridad/locura/estupidez/tonteria, veo/hay/encuentro salida, veo/hay/encuentro/tengo futuro, confio en mi misma, fio de mi, miedo ~ lo que haga, pensamientos/ideas ~ negr*/malos/feos/oscur*, \
no/me/estoy/siento estoy/siento/muy bien/mal ~ hablar con alguien, no aguanto ./mas, talk to/with someone/somebody/anyone ~ not ok/okay, not doing ok/okay/well ~ someone/somebody, not ok/okay ~ talk to/with someone/somebody/anyone, pills ~ in my hand, \
tragarme/tomarme/tomarmelas ~ todas, me rindo, no sirvo para nada, ya escribi ~ nota/carta, perdi ~ esperanza*, sin/hay/ninguna esperanza*, dormir* ~ no despertar, tomar* ~ todas ~ pastillas, ojala ~ no despert*, si no estuviera/existiera/despertara, \
mejor ~ no despert*, hablar con alguien ~ no/me/estoy/siento estoy/siento/muy bien/mal, gustaria/quiero/quisiera/prefiero no despert*, no despert* nunca/jamas, ojala/quiero/quisiera desaparecer, kms, miedo ~ lo que pueda/podria/voy/vaya ~ hacer*, \
quiere/quiso hacer dano/algo, me odio, me van/va a extranar!, no amanecer/amaneciera/amanezca ./manana, no hubiera/haya manana ., quisiera que amaneciera, ver el manana, noose, miss! me, en el cielo`;
const KIN = "dad/father/mom/mother/husband/wife/son/daughter/baby/child/kid/toddler/brother/sister/grandma/grandmother/grandfather/friend/partner/he!/she!";
const PARIENTE = "papa/padre/mama!/madre/esposo/marido/hijo/bebe/nino/hermano/abuelo/amigo/pareja/el!/ella!";
/** Alone they are a cry, and "help me sleep" is none. */
const CHILD = "baby/babies/newborn/infant/child/children/kids/toddler/old!/son/daughter/twins/bebe/hijo/nino/gemelos";
const CRY = `want/wanna/going/gonna/afraid/scared/urge/thoughts/thinking/thought/feel ~ hurt/hurting/harm/harming/kill/killing/shake!/shaking/smother*/drown*/suffocat*/strangl*/hitting/throwing ~ ${CHILD}, i could/might/may/will/would/almost hurt/harm/kill/shake!/smother/drown ~ ${CHILD}, i/ive hurt/shook/hit!/choked/burned my/the ${CHILD}, \
quiero/quisiera/ganas/miedo/podria/voy/pienso/pensamientos/ideas ~ lastim*/dano/danar*/matar*/ahogar*/asfixi*/golpear*/pegar*/sacudir* ~ ${CHILD}, ^ help!/sos/ayuda/ayudenme/socorro $, ^ help! me/us/please/pls ./now/please, ^ please/pls/somebody/someone/anybody help! $, ^ please/pls/somebody/someone/anybody help! me/us ./please, ^ i need help! ./now, ^ need help! ., ^ ayud*/por por/favor favor/ayud* $, ^ necesito ayuda ./ya/ahora/urgente, emergenc*, 911, in crisis, en crisis, am/im not ok/okay $, no estoy bien $`;
const SWALLOWED = "took/taken!/swallowed/ate!/popped/downed/chewed/tome!/tomado/trague/trago/tragado/ingeri*/comi!/comio!";
const SWOLLEN = "swollen/swell*/hinch*/inchad*";
const HOT = "hot!/warm!/red!/caliente/roja/rojo";
const SURGERY = "surgery/operated/procedure/hysterectomy/section!/cirugia/sirugia/operacion/operaron/operada/cesarea";
const LIMB = "leg/legs/calf/arm/thigh/pierna/pantorrilla/brazo";
const EMERGENCY = `take/taking/tomo/tomar* ~ ## ~ ${PILLS}, had! ## ${PILLS}, ${LIMB} ~ ${HOT} ~ ${SWOLLEN}, me/se tomo ~ # ~ ${PILLS}, ${SWALLOWED} ~ # ~ ${PILLS}, ${SWALLOWED} ~ bottle/frasco, whole/full/entire bottle, ^ ## ${PILLS} last/hace/anoche/./ago/and/de/y/at, \
trombo*/clot*/coagul* in/en my/the/his/her/mi/el/la/una ${LIMB}/lung*/cerebro/pulmon*/brain, ${HOT} ~ ${SWOLLEN} ${LIMB}, ${SWOLLEN} ${HOT} ${LIMB}, ${SWOLLEN} ~ ${HOT} ./but/and/to/too/y/also/right/since/desde/al/with/con/e, ${SWOLLEN} ~ clot*/coagul*, \
couldnt/cant/cannot wake my/him/her/them, una/izquierda/derecha/sola pierna ~ hinch*, pierna izquierda/derecha ~ hinch*, pad/pads!/tampon*/toalla ~ hour!/hora!/minut*, suddenly/sudden/repente/repentin*/subit* ~ disorient*/confus*/desorient*, \
couldnt/cant/cannot/wont/doesnt/not stop trembling/shaking/shivering/twitching, unconscious, trembl*/shak*/shiver* ~ nonstop/violent*/uncontrol*, worst headache/migraine ~ ever/life, fever/feverish/chills/temperature/fiebre/calentura/escalofrio* ~ ${SURGERY}, \
${SURGERY} ~ fever/feverish/chills/fiebre/calentura/escalofrio*, disorient*/confus*/desorient* ~ suddenly/sudden/shak*/fever/repente/repentin*/subit*/fiebre, no ~ dejo/para!/paro/puedo/parar/puede/deja ~ tembl*, heartattack, heart attack*, \
shortness/short of breath, lost consciousness, not conscious, trouble/difficulty breathing, isnt/not/couldnt breath*, hard to breathe, stopped breathing, choking, bleeding/bleed to death, bleeding wont/doesnt/not stop, am/im bleeding, \
kill/hurt someone/somebody, lost ~ of blood, losing ~ blood, blood! ~ gush*, vomiting blood, gush* ~ blood!, bleeding a lot, stop bleeding, took/taken a lot of pills, took/taken all my/his/her/the pills, move one side, \
one side of my/his/her face/body went/is/feels, half of my/his/her face, is/im dying, sobredosis, arrastra* las palabras, tomo muchas pastillas, todas mis/las/sus pastillas, rompio la fuente, fue/cae ~ cara!/boca! ~ lado, \
enchuec*/tuerc*/torc*/chue* la cara/boca, le/me va la vida ./ya/y, traba la lengua, le/me volte*/duerm*/jal*/durmi* ~ cara!/boca!, fue de lado, duerme/durmio/paralizo ~ mitad/medio ~ cuerpo, duerme/durmio/dormida/paralizo media/un cara/lado, infarto, \
derrame cerebral, inconsciente, ahogando/ahogo!, estoy/esta muriendo, cuesta respirar, no respira, dificultad para respirar, falta de/el/la respiracion/aire, siento que me muero, ataque cardiaco, ataques epilept*, paro respiratorio/cardiaco, cardiac arrest, \
vomito/escupo sangre, elephant/crush*/squeezing/pressure/heavi*/weight/tight*/pain*/stabb* ~ chest!, chest ~ numb/tight*/pressure/strange/heaviness/funny/elephant/crush*/squeez*/heavy!/weird/hurt*/pain*/stabb*/explod*, \
pain* ~ into/to/down/through my/his/her arm/jaw, left arm ~ numb*/weak/hurt*/pain*/ting*/heavy, hinch* ~ lengua/labios/garganta, pain*/ting*/numb*/ach* ~ left arm, chestpain*, heart stopping/stopped, unable/barely/struggl* to breath*, cant get air, \
getting/get enough air, lips ~ blue!/purple, blue lips, words ~ garbled, side ~ face/body ~ numb/weak/paraly*/droop*, face/smile/mouth ~ crooked/droop*/sagg*/numb, face fell/dropped, \
couldnt/cant/cannot move/feel my/his/her/the baby/side/face/arms/legs/left/right, one/left/right calf/leg ~ ${SWOLLEN}, numb/weak/move/lift ~ suddenly/sudden, suddenly/sudden ~ blind/cant/weak*/confused/vision/numb*/see/speak/talk, \
cant/cannot speak/talk/see suddenly/properly/straight/clearly, lost ~ vision suddenly, every/cada/por/an hour!/hora! ~ pad/pads!/tampon*/toalla, clots!/coagul* ~ tamano/enorm*/size/gigant*, \
bleed* ~ badly/profusely/nonstop/faint*/heavily/everywhere/pregnan*/uncontrol*, pregnan* ~ bleed*/hemorrh*/blood!, blacked out, bleeding out, passed/passing out, bleed*/sangr* ~ dizz*/lightheaded/mare*/chorros, \
ingested/swallowed/ate/drank ~ bleach/battery/batteries/detergent/antifreeze/cleaner/magnet*/chemical*/pills, baby ~ not/stopped/isnt/hasnt mov*/kick*, baby ~ mov*/kick* ~ less, no/less/decreased/reduced kicks/movement* ~ baby, barely breath*, \
cant/cannot ~ breath*, cant/cannot smile, cant/cannot/dont/not/havent feel/feeling/felt ~ baby mov*/kick*, massive/huge/giant clots!, passing ~ big!/large/giant clots!, ${KIN} ~ isnt/stopped/wont/doesnt/not wake/respond*/waking/moving/responsive/breath*, \
by a snake/rattlesnake, snake bit*, snakebite, ${KIN} ~ swallowed/ate/into ~ pills/meds/medicine/medications, took/take ~ too much/many ~ insulin/tylenol/medicine/medications/meds/drugs/sleeping, urgencia medica, tongue/lips/throat ~ swell*/closing/closed, \
coughing/throwing up blood, swell* ~ tongue/lips/throat, having a fit, having a miscarriage, severe/bad/serious/having allergic reaction, allergic reaction ~ breath*/swell*/throat, having an allergic reaction, epipen, \
scalded/burned!/burnt! ~ badly/boiling/oil/chemical*/hands/face/arm/skin/body/leg, severe/bad/chemical burns, foaming at, been/got/was/were shot!/stabbed, gunshot, presion/opresion en el pecho, \
pecho! ~ dormido/oprime/elefante/aplast*/aprieta/duele/dolor*/apretado, dolor*/aplast*/aprieta/duele/oprime/elefante/punzada*/peso!/apreton/ardor ~ pecho!, ataque al corazon, choque alergico/anafil*, \
duerme/dorm*/adorm*/entum*/duele/dolor*/hormigu* ~ brazo izquierdo, brazo izquierdo ~ duerm*/dorm*/adorm*/entum*/duele/dolor*/hormigu*, trabaja/batall* para respirar, apenas logro/puede respirar, unresponsive, no ~ entra ~ aire!, ataque ~ asma, \
no puede/siente el/la/un/los/las/mover ~ lado/brazos/cuerpo/cara!/piernas, cayo/caida/paraliz*/dorm*/adorm* ~ cara!/boca!, cara!/boca! ~ cayo/caido/dormida/torcid*/chueca/paraliz*, cara!/boca! de lado, no ~ puede respirar, no ~ puede hablar bien/claro, \
peor dolor de cabeza, repente ~ debil*/confund*/ciega, repente ~ no puede/ve!/veo, bebe ~ no ~ mov*/muev*/respirando, no siento ~ bebe, no puedo/logro/podemos despertar*, estoy sangrando, sangra/sangrando ~ parar/mucha/muchisimo, \
perdiendo/perdio ~ sangre/conocimiento, no ~ movido/mueve/sentido ~ bebe, no le/me/para!/deja para!/deja/la/el/de ~ sangr*, severe bleeding, dizz*/lightheaded/mare* ~ bleed*/sangr*, hemorrhag*, embaraz* ~ hemorr*/sangr*, hemorragia, \
${PARIENTE} ~ no ~ responde/reacciona/despierta, no se despierta, no reacciona/despierta, trago/tragado ~ pastillas/medicina*/medicamento*, trago/tragado/tomo/comio/ingirio/bebi ~ bateria*/cloro/lejia/detergente/pilas/veneno, \
pone/labios/poniendo/puso morad*/azul!/azules, tomo ~ demasiad*/frasco, monoxido de carbono, mordi* ~ vibora/culebra/serpiente, coagulotes, dispar* ~ me!/le!/lo!, sangr* ~ embaraz*, bebe ~ mueve ~ menos/poco, ech*/sal* ~ coagul* ~ grandes, atragant*, \
reaccion alergica ~ grave/fuerte/severa/respir*, quem* ~ brazo/hirviendo/grave/aceite/mucho/cuerpo/cara!/agua/manos, quemadura* ~ tercer/quimica*/segundo, cerr* ~ garganta, lengua/labios/garganta ~ hinch*/cerr*, demasiadas pastillas, third degree burn*, \
went/turn*/going/gone blue!/purple, espuma por, gasping, fuga de gas, collapsed, water broke, stroke, poison*, balazo, electrocut*, asthma attack, carbon monoxide, colapso, hablar enred*, desangr*, seizure*, thunderclap, envenena*, slurr*, fainted, asfixi*, \
no pulse, convuls*, apunal*, ambulanc*, overdos*, anaphyla*, desmay*, auxilio, no tiene pulso, nearly/almost drowned, un derrame`;
/** Beside a medical danger, these aren't wishes of their own. */
const BESIDE = "dizz*/lightheaded/mare*/nause*/peso!/numbness/tingling/hormigueo, heavy bleeding/period, sangrado/regla abundante";
const OTHERS = "husband/wife/partner/boyfriend/girlfriend/ex/spouse/fiancee/dad/he!/she!/they!";
const OTROS = "esposa/marido/pareja/novia/ex/papa/el!/ella!";
const ABUSE = `partner/domestic violence/abuse, me violaron/violo, miedo a/de mi ${OTROS}, me pega!/pego!/golpeo/maltrata mi ${OTROS}, abusive ${OTHERS}/marriage/relationship, is/was abusive, abuso de mi, miedo ~ regresar/volver ~ casa!, unsafe at home, \
afraid/scared to go home, i got/was raped, sexually assaulted, golpes de mi ${OTROS}, ${OTROS} me pega!/pego!/golpeo/maltrato, is/was/been/keeps abusing/hurting/scaring/choking/beating/hitting/threatening me, ${OTHERS} ~ threat* ~ kill/hurt ~ me!, \
afraid/scared of my ${OTHERS}, ${OTHERS} puts/laid his/her hands on me, ${OTHERS} raped/beats!/slaps/abused/slapped/punched/hits/choked/strangles/kicks/kicked/pushes/shoves/threatened/forces/threatens/beat!/hurts! me, battered, \
violencia intrafamiliar/domestica, not safe with him/her, no ~ siento/estoy seguro con mi ${OTROS}, ${OTROS} me ahorco/empujo/pateo/cacheteo/amenazo/encierra, not safe around/at home/him/her, no ~ siento/estoy seguro ~ casa!, dont feel safe around/at/with`;
/** What has such words and isn't a danger. */
const CALM = `saving/saved/save money, isnt an emergency, no es emergencia, no es una emergencia, not an emergency, non emergency, desaparecer los/las/el/la, todas mis pastillas/medicinas en/cada/por/con, \
take/taking/tomo ~ ## ~ pill/pills/pastillas ~ dia/day/daily/every/cada/diarias, heating pad, responde/respond*/responding a/to/al, need/surtir*/refill*/receta ~ ## ~ pill/pills/pastillas/tablets, hopeless at/with, \
take/taking all my pills/meds/medicines at/with/every/after/before/in, dying to, cut myself some slack, estar con mi medic*/doctor*, mas con mis/los/las/el sofocos/calores/calor/sudores/insomnio/bochornos, muero por, hablar bien ingles/el/en, \
despertar/despiert* descansad*/cansad*/temprano/en/tan, goodbye to my old, bleed*/sangr* ~ period*/regla/menstrua*, had a clots/blood, killing me, boca abierta, be here all/long, better off with, seizure medic*/doctor/refill*, muero de`;
/** The same, and what they name is looked for. */
const NAMED = `wake/waking up in the night/middle, ^ i/im take/taking ## medication*/medicines ./a/and/for/daily/every, ^ i/im take/taking ## different medication*, stroke of/prevention/risk/survivor/recovery, wake/waking up rested/so/tired/exhausted/too/early/every/at, \
emergency contraception/contraceptives/medicine/contact/contraceptive, heart attack prevention/risk/survivor, stroke last year, history of heart attack, ^ tomo ## medicamento*/medicinas ./y/al/para, derrame ocular/pleural/en, irregular/light bleeding, \
sangrado irregular/leve, heat stroke, poison oak/sumac/ivy, dying of, history of heart/stroke, of a stroke, of a heart attack, receta de`;

/** Who had clots comes for no bleeding. */
const PAST = "history/historial/antecedentes of/de clot*/coagul*, history of blood clot*, clots family history";
/** Of bleeding, the page says first when to call 911, even where it is what someone comes for: "irregular bleeding". */
const BLEEDING = `bleed*/bleeding/bled!/spotting/clot!/clots!/coagulos/sangra*/sangrando/sangrado/sangro!/zangr*/manchando/hemorrhag*, blood in/from/on/when my/the/i/urine/stool/poop/pee/semen, lot/lots/much of blood, losing/peeing/pooping/spitting/coughing blood, \
sangre en/al/por mi/la/el/orina/orinar/defecar/nariz orina/popo/heces/excremento/nariz/recto/taza/papel/., sangre al orinar/defecar/toser, mucha sangre, tirando/orino/salida/sale/hay/perdiendo/con sangre`;

/** The National Domestic Violence Hotline. */
export const ABUSED = "1-800-799-7233";

/** A cry for help that doesn't say of what. */
export const HELP = "help";
/** What may be one: the search goes on beside it. */
export const MAYBE = "maybe";

/** Rows of words: of each, what may stand for it. */
const phrases = (text) => text.split(", ").map((phrase) => phrase.split(" ").map((word) => word.split("/")));
const TABLE = [[undefined, phrases(PAST)], [MAYBE, phrases(BLEEDING)], [false, phrases(CALM)], [undefined, phrases(NAMED)], ["988", phrases(SUICIDE)], ["911", phrases(EMERGENCY)], [HELP, phrases(CRY)], [ABUSED, phrases(ABUSE)], [BESIDE, phrases(BESIDE)]];

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
        if (number === undefined) line.tokens.slice(at, end).forEach((token) => (token.isCalm = true));
        else if (line.tokens.slice(at, end).some(({ isCalm }) => isCalm)) continue;
        else if (number === MAYBE) line.tokens.slice(at, end).forEach((token) => (token.isSaid = true));
        else line.take(at, end - at);
        if (number) numbers.add(number);
      }
    }
  }
  return ["988", "911", ABUSED, HELP, MAYBE].find((number) => numbers.has(number)) ?? false;
};
