// Words of danger, in English and in Spanish, and the number to call first.

import { isNear, isNearStart } from "./words.js";

const SELF = "myself/himself/herself/themselves/themself/ourselves";
const PILLS = "pill/tablet*/capsul*/pastilla*/pildora*/meds/medicina/medication*/medicamento*/painkiller*/tylenol/acetaminophen/acetaminofen/paracetamol/advil/ibuprofen*/motrin/aleve!/aspirin*/benadryl/excedrin/naproxen*/melatonin*/xanax/ambien/klonopin/valium/ativan/oxycodon*/percocet/vicodin/tramadol/trazodone/zoloft/lexapro/prozac/seroquel/adderall/gabapentin*/metformin*";
/** A slash stands between words of which one is said, a star for any ending, ~ for some words; a word before ! bears no mistake, # is more than two, and ## ten or more. ^ is the beginning, a period the end of a clause, and $ that of the text. */
const SUICIDE = `want/wanna/going/gonna/thinking/quiero/voy ~ take/taking/swallow/tomar* ~ ## ~ ${PILLS}, kill/hurt/hurting/harm/harming/starving/burning/killing/starve/cut/cutting/hang/hate/burn!/shoot/punish ${SELF}, ending things, end/ending everything, kms, \
not worth living, tired/done of/with life/living/everything/existing, to end myself/things, it/everything to end, need/urge to cut ., want/wish this/it/everything to be over/done ., thinking of ending it, it all to be over, dont need me ., point in/of going/carrying on ., \
point in/of/to life/anything/existing/living/continuing, keep existing/living, life is not worth, life isnt worth, life has no, point ./anymore/anyway, cant take it/this/life anymore/any, want/need out ., way out of this/life, \
to end it/this ./now/tonight/soon/today, cant keep doing it/this, do/doing it/this/life anymore, dont wanna live, dont/doesnt deserve to live, dont/doesnt/not want/wanna to live/exist, dont/doesnt/not want to be alive/here, \
dont/doesnt want to go on, cant live like this, do/doing something ~ to myself, something i wont/cant take/undo, end/ending it all, end/ending/taking/take my/his/own/her life, take my/his/her own life, cut/cutting my/his/her arms!/wrist, \
feel/feeling like dying, tired of trying/fighting/struggling ., cant keep/carry on/going/trying/fighting this/anymore/like/., dont care anymore ., cant go on much/anymore/like/./with/without/living, life is/feels over/empty/pointless/meaningless, \
nothing ~ live for, i dont matter, nothing ~ matters ./now/anymore, shouldnt/cant be alone ./now/with/right/tonight my, safe around/alone/from/by/with/being ~ myself/thoughts, keep myself safe, tired of being alive/anymore, might/could do to myself, \
trust myself, of what i might/may/will/would/could, better/happier/easier if/without/off ~ me/gone/dead/died/disappeared, better/happier/off without us/her/him, quiere matar, dead inside, suicid*, queria/preferiria/prefiero/quiere morir*, \
voy/va a matar, pienso/pensar/pensando en morir*/matar*, vivir o morir, quitar/quitarse la vida, sentido a/en la/mi vida, sin sentido ./vivir/seguir, hate/odio my/mi vida/life, pensamientos/ideas ~ negr*/malos/feos/oscur*, \
vida ~ ni/no/tiene sentido, nada ~ tiene sentido, nada ~ importa ./ya, sentido a/en seguir/todo/esto/vivir/nada, que sentido tiene ya/nada/todo/./vivir/seguir, hay/tiene caso ./vivir/seguir/ya/nada, pena vivir, no quiere vivir, no merezco vivir, \
no vale la pena ./ya/nada, la pena continuar/seguir ./asi/vivi*/aqui/adelante/luchando, para que sigo/seguir ./asi/viv*/aqui, no valgo nada, por/para que vivo/vivir, quisiera que amaneciera, ya no quiere/quisiera estar/vivir/despertar, \
dormir* ~ no despertar, otra vez ~ cortando, me sigo cortando, autolesion*/cortarme/lastimarme, me rindo, ando/estado/estoy/esta cortando otra/mucho/./de/nuevo, me lastimo!/corto!/golpeo! ./cuando/a/mucho/para, \
cortando los/las/mis venas/munecas/brazos/piernas, me/se/te cortan/corte los/las venas/munecas/brazos/piernas, me/se quito la vida, why bother ./anymore/living, tirarme/aventarme/lanzarme/arrojarme del/de/a/desde/al, vida no vale, \
mejor ~ no despert*, no quiero despertar, no amaneciera/amanezca/amanecer ./manana, estar/mejor muert*, no quiero estar viv*, no quiero/quisiera estar aqui, noose, me odio, me da igual si vivo/muero, me da igual morir/vivir, ni de vivir, \
no reason/purpose ~ to stay/continue/live, ya me canse ., cansad*/canse/hart*/aburrid* de existir/vivir/sufrir/todo/luchar, dejar de existir/vivir/respirar, dejar de sufrir ., cansad*/canse/hart*/aburrid* de la/mi/esta vida, en la muerte, \
regalado/regalar/regale ~ mis ~ cosas/pertenencias, todos ~ cansad*/hart* de mi, miedo a/de mi misma, confio en mi misma, will to go/fight/live, if i was/were gone/dead, no reason to go/keep/be alive/here/on/going/living, wish i was/were dead, \
unalive, why am i here/alive, why am i still/even here/alive, just/i/like/to give/giving up ., giving/give ~ belongings/possessions/stuff/things, in heaven, giving ~ everything away, gave/given/giving up hope/on life/living/everything/., \
want/wish to disappear, disappear forever, pain to go/end/stop ./forever, pain to end/stop for good, no hope ./for/anymore/left, no future ./for/anymore, it all to end/stop, wish i could die, want/wanna to be dead, i could/would/should disappear, \
doesnt/not/dont care if/whether i/he/she die/live, just/i/he/she/wanna disappear, wanna die, rather die, rather not wake, rather not/be dead/exist, dont/doesnt/not want/wanna ~ wake up, danger for/to myself, letters/notes for/to each/my/the/all, \
gonna end it, have ~ nothing left ., cant cope ./anymore, just cant anymore, care about anything ./anymore, about/of/and jumping off/., thinking/think/thought about/of dying/death, bridge ~ jump*, \
jump/jumping off/from the/a bridge/balcony/building/cliff/roof/window, go/fall to/asleep ~ never/not wake, sleep forever, a burden on/to/and/for/., to/and/ill/would/could never wake up, would miss/notice/care if i/me, \
goodbye letter/note/./video/message, goodbye family/everyone/all/world/cruel/forever, will/would anyone ~ notice/care if/., no one/nobody would ~ notice/care if, matarme, if i died/disappeared, been/am/im/started/keep cutting again/., \
wants/going/wanting/wanted/wanna to die, ready to die, already wrote/written my/the/a letter/note, front of the/a train/truck/bus, i/ive got/have ~ pills/meds ready, wake up again/anymore, pills ~ in my hand, end/ending my pain/misery/suffering, \
lost all hope, feel/feeling/felt/totally/completely/am/is/im/so hopeless/worthless, no/other/only/any/a way out for/./but/anymore, make it/the pain/voices/stop, wish i ~ never/not/didnt ~ alive/born/existed/exist, not waking up tomorrow, \
be a tomorrow, tomorrow doesnt/never came, to see tomorrow ., feel trapped, see any/a way forward, see/have ~ my/any/a future ./for/anymore, everyone/theyre ~ sick/tired of me, goodbyes to/., \
thinking/think/thought/might/planning/want/going/gonna/tempted/could ~ take/taking/swallow/swallowing ~ all ~ pills/meds/them, am/im/so done ., saving/saved/collecting/hoard*/stash*/stockpil* ~ pills/meds, \
do/doing something dumb/rash/stupid/drastic/desperate/terrible/bad/reckless/crazy/awful, mejor sin el!/ella! ., felices/mejor sin mi!, fuerza/razon/razones/motivo para continuar/vivir/seguir, hacerme dano/algo, quiere/quiso hacer dano/algo, \
mantenerme segur* hoy/esta/., no sirvo para nada, quemo!/corto!/dano/pego!/golpeo ~ a mi misma, ahorcarme, perdonenme, peligro para mi!, perdonen!/perdon!/perdoname por todo, dispararme, \
pray/only/hope/wish i ~ never/not/didnt/wouldnt/wont/dont wake, a nadie le importo!, perdi ~ esperanza*, sin/ninguna/hay esperanza*, sin/ninguna/las/tengo/perdi ganas de existir/vivir/seguir, ganas de morir*, volvi a cortar*, miss! me, \
acumul*/juntando!/guarde!/juntado!/guardado/escond*/junte!/guardadas ~ pastillas, tomarmelas/tragarme/tomarme ~ todas, tengo ~ pastillas ~ listas/mano!/guardadas, tengo ~ list* ~ pastillas, tomar* ~ todas ~ pastillas, gun ~ loaded, no le importo! a, \
ojala me muriera/muera, si me muriera/muera, nunca/no hubiera/hubiese/haber nacido, nada vale la pena, no quiero amanecer ./manana, quiero lastimar*, ver el manana, no hubiera/haya manana ., me quiero cortar los/las/mis/., \
not/wont be here/alive/around much/anymore/longer, if i wasnt/werent here/alive/around, dormir*/descansar/dolor/sufrimiento/irme para siempre, carga para todos/mi/ellos/los, como/ser/siento/soy/es una carga, ya no aguanto/soporto esto/vivir/nada, \
no aguanto/soporto vivir/la/mi/esta vida, end of my rope, no aguanto ./mas, cometer/hacer una/alguna estupidez/barbaridad/tonteria/locura, si yo no estuviera/existiera, si no estuviera/existiera/despertara, no puedo/doy mas, \
self injur*/destruct*/harm*, todo se acabo, ya se acabo todo, hijo se corta, no soporto mas, con esta vida, adios a todos, nadie ~ echa* de menos, nadie me quiere/necesita, importa nada ./ya/ni/nadie, no puedo con la/mi vida, \
despidiendo/despido!/despedi!/despedir* ~ de ~ ustedes/mis/todos/familia/hijos/vida, adios a mis/la/mi familia/hijos/vida, adios mundo/cruel/mama/todos/familia/vida, de este mundo, sin mi! vivirian/estarian/serian, ya escribi ~ nota/carta, \
nota/carta/video/mensaje de adios/despedida, no quiero/puedo seguir ./asi/viviendo/aqui/adelante/luchando/mas, 988, salvo/solas/seguro conmigo, mantener* ~ salvo, me da igual todo ./ya/lo, todo! me/le da igual/lo, a salvo sol*, \
que esto ~ termine/acabe ., que todo ~ termine/acabe/terminara/pare/acabara, acabar/terminar con su/mi vida/sufrimiento, acabar/terminar con todo, terrible/bad/scary/horrible/darkest/dark thoughts, \
queda/veo/hay/encuentro otra/ninguna/la/una/mas salida, sin salida, veo/hay/encuentro salida, veo/hay/encuentro/tengo futuro, quien/nadie ~ extranar*/extrana!, fio de mi, miedo ~ lo que pueda/podria/voy/vaya ~ hacer*, miedo ~ lo que haga, \
crisis hotline/line, mental health crisis, en el cielo, talk to/with someone/anyone ~ not ok, not ok ~ talk to/with someone/anyone, wish i wasnt/never/hadnt/werent here/alive/born/been, not doing well/ok ~ someone, through/survive the night/tonight, \
me/se hago/hace dano ./cuando/a/mucho/yo, me van/va a extranar!, ojala ~ no despert*, no escape, no despert* nunca/jamas, quiero/quisiera/prefiero/gustaria no despert*, no/me/estoy/siento estoy/siento/muy bien/mal ~ hablar con alguien, \
hablar con alguien ~ no/me/estoy/siento estoy/siento/muy bien/mal, una/es ultima/mi despedida, no quiero existir, quiero/quisiera/ojala desaparecer, if i swallowed/took them/these/all, take/taking/swallow/swallowing/took them/these all, estorbo!`;
const KIN = "dad/father/mom/mother/husband/wife/son/daughter/baby/child/kid/toddler/brother/sister/grandma/grandmother/grandfather/friend/partner/he!/she!";
const PARIENTE = "papa/padre/mama!/madre/esposo/marido/hijo/bebe/nino/hermano/abuelo/amigo/pareja/el!/ella!";
const CHILD = "baby/babies/newborn/infant/child/children/kids/toddler/old!/son/daughter/twins/bebe/hijo/nino/gemelos";
const OTHERS = "husband/wife/partner/boyfriend/girlfriend/ex/spouse/fiancee/dad/he!/she!/they!";
const OTROS = "esposa/marido/pareja/novia/ex/papa/el!/ella!";
const VOICES = "voices/voces/voses";
const PEOPLE = "someone/people/alguien/gente";
const VICTIM = `${KIN}/neighbor*/boss/coworker/roommate/ex!/him!/her!/them!`;
const VICTIMA = `${PARIENTE}/vecin*/jefe/suegr*`;
/** What may end with someone else hurt: 911, and 988 to talk. */
const HARM_ROWS = `scared/afraid ill hurt him!/her!/them!, want/wanna/going/gonna/thinking/feel/thoughts/afraid/scared/urge ~ kill/hurt/hurting/harm/harming/smother*/killing/shaking/strangl*/suffocat*/hitting/throwing/drown*/shake! ~ ${CHILD}/${PEOPLE}, lo/la/los/las quiero matar, \
pienso/miedo/quisiera/quiero/ganas/podria/voy/pensamientos/ideas ~ lastim*/dano/pegar*/ahogar*/golpear*/asfixi*/danar*/sacudir*/matar* ~ ${CHILD}/${PEOPLE}, lo/la/los/las voy/vamos a matar, \
pienso/voy/vamos/quiero/ganas ~ lastim*/apunal*/danar*/matar* a/al ~ ${VICTIMA}, kill/hurt someone, to/gonna/wanna/about/of/like kill/killing/stab!/shoot!/murder/hurt!/hurting my/the/our ${VICTIM}, \
i/ive burned/choked/hit!/hurt/shook my/the ${CHILD}, i might/may/will/would/could/almost drown/harm/kill/hurt/smother/shake! ~ ${CHILD}/${VICTIM}, will/to/gonna/wanna/about kill/killing/stab!/shoot!/murder him!/her!/them!/${PEOPLE}, \
${VOICES} ~ kill/dice*/mand*/telling/told!/orden*/tells/tell!/head!/cabeza, homicid*, oigo/hearing/here/escuch*/heard ${VOICES}, quiero/a matarl*`;
/** Alone they are a cry, and "help me sleep" is none. */
const CRY = `911, am/im not ok $, no estoy bien $, ^ ayud*/por favor/por favor/ayud* $, ^ help!/sos/ayuda/ayudenme/socorro $, ^ help! us/me/please/pls ./now/please, ^ please/pls/someone help! us/me ./please, ^ someone please help me ., ^ please/pls/someone help! $, ^ i need help! ./now, \
^ need help! ., ^ necesito ayuda ./ya/urgente/ahora, in crisis, en crisis, emergenc*`;
const SWALLOWED = "took/taken!/swallowed/ate!/popped/downed/chewed/tome!/tomado/trague/trago/tragado/ingeri*/comi!/comio!";
const SWOLLEN = "swollen/swell*/hinch*";
const HOT = "hot!/warm!/red!/caliente/roja";
const SURGERY = "surgery/operated/procedure/hysterectomy/section!/cirugia/sirugia/operacion/operaron/operada/cesarea";
const FEVER = "fever/feverish/chills/temperature/temp/fiebre/calentura/escalofrio*";
const STIFF = "stiff/rigid*/tieso";
const BELLY = "estomago/stomach/belly/tummy/abdom*/panza/barriga/vientre";
const SUDDEN = "suddenly/sudden/repente/repentin*/subit*/golpe";
const SEVERE = "severe/terribl*/horribl*/sharp/explot*/estall*/worst/fuerte/bad/intens*/awful/excruciating/unbearabl*/insoportabl*/much*/peor";
const HEAD = "headache/migraine/head!/cabeza";
const LIMB = "legs/calf/arm/thigh/pierna/pantorrilla/brazo";
const PAIN = "pain*/hurt*/sore!/ach*/tender/dol*/duel*/adol*";
const BLOOD = "blood/sangre";
/** A wrong or a double dose, for which Poison Help is there. */
const WRONG = "double/twice/doble/extra/wrong/equivocad*/demasiad*/much/two/dos";
const DOSE = `${PILLS}/dose/dosis/jarabe`;
const DOSES = `${SWALLOWED} ~ ${WRONG} ~ ${DOSE}, gave/got/di!/dimos/tomo! & ${CHILD}/him!/her!/le! & ${WRONG} & ${DOSE}`;
const EMERGENCY = `half of my/his/her face, pain* ~ into/down/to/through my/his/her arm/jaw, left arm & numb*/weak/ach*/pain*/hurt*/ting*/heavy, take/taking/tomo/tomar* ~ ## ~ ${PILLS}, ${SWALLOWED} ~ # ~ ${PILLS}, ${DOSES}, ${SWALLOWED} ~ bottle/frasco, \
full/whole/entire bottle, unconscious, not conscious, had! ## ${PILLS}, ^ ## ${PILLS} last/and/./de/y/at/anoche/ago/hace, me/se tomo ~ # ~ ${PILLS}, ${LIMB} & ${SWOLLEN} & ${PAIN}, ${LIMB} ~ ${HOT} ~ ${SWOLLEN}, ${HOT} ~ ${SWOLLEN} ${LIMB}, \
${SWOLLEN} ${HOT} ${LIMB}, ${SWOLLEN} ~ ${HOT} ./but/and/con/desde/also/too/to/with/right/since/al/y/e, no pulse, coagulotes, left/right/sola/una/izquierda/derecha/one leg/calf/pierna ~ ${SWOLLEN}, pierna izquierda/derecha ~ hinch*, \
no podemos/logro/puedo despertar*, ${SWOLLEN} ~ clot*/coagul*, trombo*/clot*/coagul* in/en my/the/his/her/mi/el/la/una ${LIMB}/lung*/cerebro/pulmon*/brain, tomo ~ demasiad*/frasco, estoy/esta muriendo, pad/pads!/tampon*/toalla ~ hour!/hora!/minut*, \
couldnt/cant/wont/doesnt/not stop trembling/shaking/twitching/shivering, auxilio, an/cada/por/every hour!/hora! ~ pad/pads!/tampon*/toalla, face fell, shortness/short of breath, heart stopped/stopping, stopped breathing, \
difficulty/trouble breathing, shiver*/trembl*/shak* ~ violent*/nonstop/uncontrol*, trabaja/batall* para respirar, heart attack*, cold/sud* sweat*/fri* & heart/taquicard*/rapido/palpit*/corazon/pounding, dificultad para respirar, apunal*, gasping, \
stop bleeding, bleeding/bleed to death, cuesta respirar, apenas logro/puede respirar, is/im dying, asthma attack, lost ~ of blood, blood! ~ gush*, gush* ~ blood!, saddle/groin/entrepierna & numb*/dorm*/adorm*/duerm*/siento/feel!, numb* between my, \
le/me va la vida ./ya/y, le/me volte*/durmi*/jal*/duerm* ~ cara!/boca!, fue ~ cara!/boca! ~ lado, cara!/boca! de lado, duerme/durmio/paralizo ~ mitad/medio ~ cuerpo, quemadura* ~ tercer/segundo/quimica*, \
no puede/siente los/las/el/la/un/mover ~ lado/cara!/brazos/piernas/cuerpo, brazo izquierdo & entum*/hormigu*/duele/dolor*/dorm*/adorm*/duerm*, lips ~ blue!/purple, turn*/went/going/gone blue!/purple, derrame cerebral, un derrame, \
no ~ dejo/parar/puede/paro ~ tembl*, no ~ puede respirar, getting/get enough air, hard to breathe, no ~ entra ~ aire!, fue de lado, duerme/durmio/paralizo/dormida media/un lado/cara, paro respiratorio/cardiaco, ataque al corazon, ataque cardiaco, \
cardiac arrest, ataque ~ asma, chest & stabb*/weight/pressure/elephant/explod*/funny/heavi*/numb/strange/weird/crush*/squeez*/pain*/hurt*/tight*/heavy!, is giving birth, struggl*/unable/barely to breath*, couldnt/isnt/not breath*, colapso, \
barely breath*, cant ~ breath*, repente ~ confund*, cant get air, blue lips, repente ~ no puede/ve!/veo, fuga de gas, blacked out, face/smile/mouth ~ crooked/droop*/numb/sagg*, cant smile, fainted, been/got/was/were shot!/stabbed, bebe ~ saliendo ., \
sale/saliendo el/la/mi bebe/cabeza, move one side, one side of my/his/her face/body is/feels/went, side ~ face/body ~ droop*/numb/paraly*/weak, electrocut*, couldnt/cant move/feel my/his/her/the baby/arms/legs/side/face/left/right, \
couldnt/cant wake my/him/her/them, am/im bleeding, bleeding out, took/take ~ too much/many ~ drugs/tylenol/sleeping/meds/medicine/medications/insulin, ataques epilept*, cant/havent/not/dont feeling/felt/feel ~ baby mov*/kick*, \
baby ~ hasnt/isnt/not/stopped mov*/kick*, dando a luz, baby ~ mov*/kick* ~ less, no/reduced/decreased/less movement*/kicks ~ baby, third degree burn*, \
drank/ingested/swallowed/ate ~ pills/antifreeze/chemical*/bleach/batteries/magnet*/cleaner/battery/detergent, took/taken a lot of pills, took/taken all my/his/her/the pills, ${KIN} ~ into/swallowed/ate ~ pills/meds/medicine/medications, \
${KIN} ~ wont/doesnt/isnt/not/stopped moving/waking/respond*/breath*/wake/responsive, falta el/la/de respiracion/aire, quem* ~ mucho/hirviendo/aceite/manos/cuerpo/cara!/brazo/agua/grave, severe/bad/chemical burns, heartattack, lost consciousness, \
severe bleeding, bleeding wont/doesnt/not stop, by a snake/rattlesnake, bleeding a lot, having a fit, having an allergic reaction, having the baby ./now/right, allergic reaction ~ breath*/swell*/throat, having/serious/severe/bad allergic reaction, \
having a miscarriage, throat ~ closed/closing, balazo, no ~ sentido/movido/mueve ~ bebe, thunderclap, losing ~ blood, back/espalda & cant/lost/perdi/unable/puedo ~ bladder/pipi/urinate/orinar/pis!/pee!/vejiga, snake bit*, snakebite, \
perdiendo/perdio ~ sangre/conocimiento, arrastra* las palabras, hemorrhag*, worst headache/migraine ~ ever/life, passed/passing out, into/in/de labor/parto, infarto, lips/throat/tongue/labios/lengua/garganta & cerr*/hinch*/swell*, chestpain*, \
choque alergico/anafil*, move/lift ~ suddenly/sudden, suddenly/sudden ~ see/speak/talk/cant, cant see/speak/talk suddenly/clearly/properly/straight, coffee grounds, no siento ~ bebe, siento que me muero, enchuec*/torc*/tuerc*/chue* la boca/cara, \
epipen, seizure*, mordi* ~ vibora/culebra/serpiente, about/going to faint/pass, feel/feeling/gonna/keeps faint/fainting, presion/opresion en el pecho, \
pecho! & ardor/dormido/apreton/oprime/elefante/apretado/aprieta/aplast*/duele/dolor*/punzada*/peso!, peor dolor de cabeza, no respira, bebe ~ no ~ respirando/mov*/muev*, sobredosis, hablar enred*, no ~ puede hablar bien/claro, \
contraction*/contraccion*, no tiene pulso, convuls*, dispar* ~ me!/le!/lo!, pone/puso/labios/poniendo morad*/azules/azul!, poison*, sangrando/sangra ~ mucha/parar/muchisimo, estoy sangrando, \
cara!/boca! & cayo/cae!/chueca/dorm*/adorm*/paraliz*/torcid*/caida, nearly/almost drowned, no le/me/para!/deja de/para!/deja/el/la ~ sangr*, sangr* ~ chorros, revento/rompio la fuente, ${PARIENTE} ~ no ~ responde/reacciona/despierta, \
no se despierta, no reacciona/despierta, reaccion alergica ~ respir*/fuerte/grave/severa, bebe ~ mueve ~ menos/poco, inconsciente, ${PARIENTE} ~ tomo/comio mis/las ~ pastillas/medicina*, todas mis/sus/las pastillas, tomo muchas pastillas, \
demasiadas pastillas, trago/tragado ~ pastillas/medicamento*/medicina*, espuma por, gunshot, bebi/trago/tragado/ingirio/tomo/comio ~ cloro/pilas/detergente/lejia/bateria*/veneno, envenena*, anaphyla*, ambulanc*, water broke, atragant*, \
massive/giant/huge clots!, passing ~ big!/large clots!, clots!/coagul* ~ tamano/enorm*/size/gigant*, monoxido de carbono, ech*/sal* ~ coagul* ~ grandes, hemorragia, carbon monoxide, asfixi*, nunca ~ tanto ~ cabeza, cabeza como nunca, \
pregnan* ~ blood!, urgencia medica, embaraz*/pregnan* & hemorr*/bleed*/sangr*, dizz*/lightheaded/mare* & bleed*/sangr*, choking, bleed* ~ badly/heavily/profusely/everywhere/faint*/nonstop/uncontrol*, traba la lengua, \
burned!/scalded/burnt! ~ badly/skin/face/body/boiling/hands/leg/arm/oil/chemical*, someone/alguien ~ gun/knife/pistola/cuchillo, ${BELLY} & ${SEVERE} & ${FEVER}, pregnan*/embaraz* & ${BELLY} & ${SEVERE}, missed period & sharp/dizz*, ${SUDDEN} & ${HEAD} & ${SEVERE}, \
month/week old & ${FEVER}, ${SUDDEN}/${FEVER}/shak* & confus*/desorient*, see/feel ~ babys head, babys coming ./now/right/out/help, baby is coming ./now/right/out/help, unresponsive, \
${SUDDEN} & sight/numb*/weak*/debil*/blind/ciega/vision/vista/nubl*/blur*/borros*, vomi*/arroj*/puk*/devolv*/escup* ${BLOOD}, stroke, overdos*, vomi*/throw* ~ con/of/red/mucha ${BLOOD}, slurr*, desangr*, cough*/throw* up ${BLOOD}, \
${BLOOD} in/en my/the/his/her/mi/el vomi*, faint/fainting & heart/palpit*/corazon, bebe ~ mes/semanas ~ ${FEVER}, ${FEVER} ~ 104/105/106, words ~ garbled, recien/newborn ~ ${FEVER}, ${FEVER} & ${STIFF}, \
${FEVER} & purple/petech*/morad*/bruis*/moreton*, foaming at, 104/105/106 ~ ${FEVER}, ${FEVER} & ${SURGERY}, ${FEVER} of/de/a/is 40/41/42, 40/41/42 grados/de ${FEVER}/./de, \
${FEVER} & punt*/dots/rash/spots/ronch*/sarpullido/manch* & desapare*/disappear/fade*/quit*, desmay*, de pronto ~ cabeza/borros*, ve la cabeza del, collapsed, bebe ya viene ./ayuda/ahora, ya viene el/la/mi bebe ./ayuda/ahora, heart & pounding/racing & skip*/chest, corazon ~ a mil, corazon ~ salir, burn*/arde & pee*/orinar & ${FEVER} & back/espalda, ahogando/ahogo!`;
/** Beside a medical danger, these aren't wishes of their own. */
const BESIDE = "dizz*/lightheaded/mare*/nause*/peso!/numbness/tingling/hormigueo, heavy bleeding/period, sangrado/regla abundante";
const ABUSE = `battered, violencia intrafamiliar/domestica, domestic/partner abuse/violence, miedo a/de mi ${OTROS}, me pega!/pego!/golpeo/maltrata mi ${OTROS}, golpes de mi ${OTROS}, ${OTROS} me pega!/pego!/golpeo/maltrato, \
no ~ siento/estoy seguro con mi ${OTROS}, ${OTROS} me encierra/empujo/pateo/ahorco/cacheteo/amenazo, abuso de mi, miedo ~ volver/regresar ~ casa!, is/was/keeps/been choking/scaring/beating/threatening/hitting/abusing/hurting me, \
no ~ siento/estoy seguro ~ casa!, is/was abusive, ${OTHERS} ~ threat* ~ kill/hurt ~ me!, ${OTHERS} punched/choked/hits/beat!/strangles/slaps/threatened/pushes/slapped/kicks/beats!/abused/kicked/shoves/forces/threatens/hurts! me, \
afraid/scared to go home, not safe around/at home/him/her, not safe with him/her, dont feel safe around/at/with, ${OTHERS} puts/laid his/her hands on me, afraid/scared of my ${OTHERS}, abusive ${OTHERS}/marriage/relationship, unsafe at home`;
/** Another's threats, whose words would else be one's own. */
const THREATS = `${OTHERS} ~ will/going/gonna/wants ~ kill/shoot me!, amenaz* ~ matar*/muerte/pistola/cuchillo, novia/marido/esposa/pareja/ex!/papa ~ va/quiere/van ~ matar*`;
/** For which RAINN's line is there. */
const RAPE = `forced himself, oblig*/forc*/forz* ~ sex!/sexo/relaciones/seczo, abus*/agresion/ataque sexual*, sexual* abus*/asault*, molested, violaron/rapped/raped/violacion!/violada/rape/violo, abusaron de mi, makes/made me have sex`;
/** What has such words and isn't a danger. */
const CALM = `hopeless at/with, desaparecer el/la/los/las, todas mis pastillas/medicinas con/cada/por/en, cut myself shaving/cooking/some, not/non emergency, take/taking/tomo ~ ## ~ pastillas/pills ~ dia/diarias/cada/day/daily/every, goodbye to my old, \
isnt an emergency, had a clots/blood, boca abierta, no es una emergencia, no es emergencia, not an emergency, heating pad, saving/saved money, take/taking all my pills/meds/medicines at/with/every/in/after/before, dying to, respond* al/to/a, \
estar con mi medic*/doctor*, sangr*/bleed* ~ regla/period*/menstrua*, be here all/long, mas con mis/las/el/los bochornos/calores/sudores/sofocos/calor/insomnio, hablar bien ingles/el/en, seizure medic*/doctor/refill*, \
despiert*/despertar cansad*/temprano/en/descansad*/tan`;
/** The same, and what they name is looked for. */
const NAMED = `^ tomo ## medicamento*/medicinas ./al/y/para, no puedo/doy mas pronto/temprano/tarde/los/a, no puedo mas que el/en/por/a/los/la, no puedo mas de ~ minuto*/hora*, derrame pleural/en/ocular, irregular/light bleeding, \
wake/waking up in the night/middle, wake/waking up so/every/rested/tired/early/at/exhausted/too, contraction*/contraccion*/fainted/labor/parto ~ years/anos, fecha/plan de parto, emergency contact/contraception/contraceptives/medicine, \
oigo/hear ${VOICES} ~ wall/pared is/y/es/and/., hard to hear ${VOICES}, ^ i/im take/taking ## medication*/medicines a/and/for/./daily/every, labor and delivery, muscle contraction*, cant hear ${VOICES}, ^ i/im take/taking ## different medication*, \
dying of, of a stroke, stroke last year, sangrado irregular/leve, stroke prevention/of/recovery/risk/survivor, heart attack prevention/risk/survivor, history of heart/stroke, receta de, of a heart attack, poison oak/sumac/ivy`;

/** Who had clots comes for no bleeding. */
const PAST = "history/historial/antecedentes of/de clot*/coagul*, history of blood clot*, clots family history";
const MENO = `bulto*/bolita*/bola/lump* & seno*/boob*/teta*/mama!/pecho/breast*/nipple*/pezon, sangr*/blood* & nipple*/pezon*, sangr*/bleed*/regla/period/bled!/spotting/manch* & despues/post/pase/after/years/through ~ menop*, \
sangr*/bleed*/spotting/manch* & years/anos & sin/without/last/ultim* regla/period*/menstrua*, posmenop* & sangr*/bleed*/spotting/manch*`;
/** Of bleeding, the page says first when to call 911, even where it is what someone comes for: "irregular bleeding". */
const BLEEDING = `coughing/peeing/pooping blood, blood on/from/in/when my/the/stool/pee/poop/semen/i/urine, sangre al orinar/defecar/toser, sangre al/en/por mi/las/el/la/orinar/defecar/nariz/hacer ./orina/popo/caca/recto/nariz/papel/excremento/heces/taza, \
mucha sangre, much of blood, tirando/orino/hay/con/sale/salida sangre, bled!/spotting/manchando/hemorrhag*/clots!/coagulos/bleed*/sangra*/clot!/sangro!`;

/** What was already taken can't wait for a talk. */
const OVERDOSE = `${DOSES}, ${SWALLOWED}/overdosed ~ all!/them!/these!/whole/bottle/handful/pills/todas/todo!/frasco/pastillas, ${SWALLOWED} ~ # ~ ${PILLS}, overdosed`;
const UNDONE = new Set("if almost wish si casi".split(" "));

/** The National Domestic Violence Hotline. */
export const ABUSED = "1-800-799-7233";

/** RAINN, the National Sexual Assault Hotline. */
export const RAPED = "1-800-656-4673";
/** Someone else may be hurt. */
export const HARM = "harm";
/** After menopause, bleeding should be checked soon. */
export const MENOPAUSE = "menopause";

/** An overdose: poison help, and 988 after 911. */
export const OVERDOSED = "taken";
/** A cry for help that doesn't say of what. */
export const HELP = "help";
/** What may be one: the search goes on beside it. */
export const MAYBE = "maybe";

/** What & stands between may stand in any order. */
const orders = (all) => all.length < 2 ? all : all.flatMap((one, at) => orders(all.toSpliced(at, 1)).map((rest) => `${one} ~ ${rest}`));
/** Rows of words: of each, what may stand for it. */
const phrases = (text) => text.split(", ").flatMap((phrase) => orders(phrase.split(" & "))).map((phrase) => phrase.split(" ").map((word) => word.split("/")));
const TABLE = [[OVERDOSED, phrases(OVERDOSE)], [ABUSED, phrases(THREATS)], [undefined, phrases(PAST)], [MENOPAUSE, phrases(MENO)], [MAYBE, phrases(BLEEDING)], [false, phrases(CALM)], [undefined, phrases(NAMED)], [HARM, phrases(HARM_ROWS)], ["988", phrases(SUICIDE)], ["911", phrases(EMERGENCY)], [HELP, phrases(CRY)], [RAPED, phrases(RAPE)], [ABUSED, phrases(ABUSE)], [BESIDE, phrases(BESIDE)]];

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
        else if (number === MAYBE || number === MENOPAUSE) line.tokens.slice(at, end).forEach((token) => (token.isSaid = true));
        else line.take(at, end - at);
        if (number === ABUSED) line.tokens.slice(at, end).forEach((token) => (token.isCalm = true));
        if (number) numbers.add(number);
      }
    }
  }
  if (numbers.has(OVERDOSED) && (numbers.has("988") || numbers.has("911"))) return OVERDOSED;
  return [HARM, "988", "911", RAPED, ABUSED, HELP, MENOPAUSE, MAYBE].find((number) => numbers.has(number)) ?? false;
};
