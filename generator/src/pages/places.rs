use directory::calendar::Tz;
use directory::content::zone_of_state;
use directory::model::StateCode;

/// Only the states that have several, the zone of the most people first.
const ZONES: [(&str, &str); 8] = [
    ("AZ", "America/Phoenix America/Denver"),
    ("FL IN KY MI", "America/New_York America/Chicago"),
    ("GU MP", "Pacific/Guam"),
    ("ID", "America/Boise America/Los_Angeles"),
    ("KS ND NE SD TX", "America/Chicago America/Denver"),
    ("NV OR", "America/Los_Angeles America/Boise"),
    ("PR VI", "America/Puerto_Rico"),
    ("TN", "America/Chicago America/New_York"),
];

/// Separated by spaces.
pub(super) fn zones_of_state(state: StateCode) -> Option<&'static str> {
    let several = ZONES.iter().find(|(codes, _)| codes.split(' ').any(|code| code == state.code()));
    several.map(|(_, zones)| *zones).or_else(|| zone_of_state(state).map(Tz::name))
}

/// Holidays by their names, as patterns: a month and a day, or a month, a weekday (0 is Monday), and which one of the month.
pub(super) const HOLIDAYS: [(&str, u8, u8, i8); 13] = [
    ("new years eve", 12, 31, 0),
    ("new years day|new years|new year|ano nuevo", 1, 1, 0),
    ("martin luther king(?: jr)?(?: day)?", 1, 0, 3),
    ("presidents day", 2, 0, 3),
    ("memorial day", 5, 0, -1),
    ("juneteenth", 6, 19, 0),
    ("independence day|(?:the )?(?:fourth|4 th) of july|cuatro de julio", 7, 4, 0),
    ("labor day|dia del trabajo", 9, 0, 1),
    ("columbus day", 10, 0, 2),
    ("veterans day", 11, 11, 0),
    ("thanksgiving(?: day)?|(?:dia de )?accion de gracias", 11, 3, 4),
    ("christmas eve|noche ?buena", 12, 24, 0),
    ("christmas(?: day)?|xmas|navidad", 12, 25, 0),
];

/// The first three digits of ZIP codes, each with the state whose codes begin there; some have none.
pub(super) const ZIPS: &str = "000 010MA 028RI 030NH 039ME 050VT 055MA 056VT 060CT 070NJ 090 100NY 150PA 197DE 200DC 201VA 202DC \
     206MD 220VA 247WV 270NC 290SC 300GA 320FL 340 341FL 350AL 370TN 386MS 398GA 400KY 430OH 460IN 480MI \
     500IA 530WI 550MN 570SD 580ND 590MT 600IL 630MO 660KS 680NE 700LA 716AR 730OK 750TX 800CO 820WY \
     832ID 840UT 850AZ 870NM 885TX 889NV 900CA 962 967HI 969 970OR 980WA 995AK";

/// The two hundred largest cities, of two with one name the larger, and usual names of their parts. Those before a semicolon
/// are known to every clinic, so that it can say that it sees no one there.
pub(super) const CITIES: [(&str, &str); 46] = [
    ("AK", "anchorage"),
    ("AL", "birmingham, huntsville, mobile, montgomery"),
    ("AR", "little rock, fayetteville"),
    ("AZ", "phoenix, tucson, mesa, chandler, gilbert, glendale, scottsdale, peoria, tempe, surprise"),
    (
        "CA",
        "los angeles, san diego, san jose, san francisco, fresno, sacramento, long beach, oakland, bakersfield, anaheim, stockton, riverside, irvine, santa ana, chula vista, fremont, santa clarita, san bernardino, modesto, fontana, moreno valley, oxnard, huntington beach, ontario, elk grove, rancho cucamonga, oceanside, garden grove, corona, salinas, hayward, sunnyvale, escondido, pomona, visalia, fullerton, torrance, roseville, orange, palmdale, pasadena, lancaster, berkeley, bay area, silicon valley, hollywood",
    ),
    ("CO", "denver, colorado springs, aurora, fort collins, lakewood, thornton, boulder"),
    ("CT", "bridgeport, new haven, stamford, hartford"),
    ("DC", "washington dc, washington d c"),
    (
        "FL",
        "jacksonville, miami, tampa, orlando, st petersburg, saint petersburg, hialeah, port st lucie, tallahassee, cape coral, fort lauderdale, pembroke pines, gainesville",
    ),
    ("GA", "atlanta; augusta, savannah, macon"),
    ("HI", "honolulu, maui, oahu"),
    ("IA", "des moines, cedar rapids"),
    ("ID", "boise"),
    ("IL", "chicago, joliet, naperville, rockford"),
    ("IN", "indianapolis, fort wayne"),
    ("KS", "wichita, overland park, topeka, olathe"),
    ("KY", "louisville, lexington"),
    ("LA", "new orleans, baton rouge, shreveport"),
    ("MA", "boston, worcester, springfield, cambridge"),
    ("MD", "baltimore"),
    ("MI", "detroit; grand rapids, warren, sterling heights, ann arbor"),
    ("MN", "minneapolis, saint paul, st paul, twin cities"),
    ("MO", "kansas city, saint louis, st louis"),
    ("MS", "jackson"),
    ("MT", "billings"),
    ("NC", "charlotte, raleigh, greensboro, durham, winston salem, cary"),
    ("ND", "fargo"),
    ("NE", "omaha, lincoln"),
    ("NH", "manchester"),
    ("NJ", "newark, jersey city, paterson"),
    ("NM", "albuquerque, santa fe"),
    ("NV", "las vegas, reno; henderson, north las vegas"),
    (
        "NY",
        "new york city, nyc, brooklyn, queens, manhattan, bronx, the bronx, staten island, long island, buffalo, rochester, yonkers, syracuse, ciudad de nueva york",
    ),
    ("OH", "columbus, cleveland, cincinnati, toledo, akron, dayton"),
    ("OK", "oklahoma city, tulsa"),
    ("OR", "portland, salem, eugene"),
    ("PA", "philadelphia, philly, filadelfia, pittsburgh, allentown"),
    ("RI", "providence"),
    ("SC", "charleston, columbia"),
    ("SD", "sioux falls"),
    ("TN", "nashville, memphis; knoxville, chattanooga, clarksville, murfreesboro"),
    (
        "TX",
        "houston, san antonio, dallas, austin, fort worth, el paso, arlington, corpus christi, plano, lubbock, laredo, irving, garland, frisco, mckinney, amarillo, grand prairie, brownsville, killeen, mesquite, mcallen, waco, denton, midland, carrollton, round rock, abilene, odessa, beaumont",
    ),
    ("UT", "salt lake city, salt lake, west valley city, provo"),
    ("VA", "virginia beach, chesapeake, norfolk, richmond, newport news, alexandria, hampton"),
    ("WA", "seattle, spokane, tacoma, vancouver, bellevue, kent, everett"),
    ("WI", "milwaukee, madison, green bay"),
];

/// Cities whose name does not tell the state, and parts of states.
pub(super) const SHARED_CITIES: [(&str, &str); 12] = [
    ("TX VA", "arlington"),
    ("CO IL", "aurora"),
    ("SC MO MD", "columbia"),
    ("AZ CA", "glendale"),
    ("CA FL", "hollywood"),
    ("MO KS", "kansas city"),
    ("CA PA", "lancaster"),
    ("CA TX", "pasadena"),
    ("AZ IL", "peoria"),
    ("OR ME", "portland"),
    ("NY MN", "rochester"),
    ("IL MA MO OH", "springfield"),
];

/// Other names of states, in English and in Spanish.
pub(super) const OTHER_NAMES: [(&str, &str); 17] = [
    ("CA", "cali, calif"),
    ("DC", "distrito de columbia, d c, washington dc, washington d c"),
    ("FL", "fla"),
    ("HI", "hawai"),
    ("MO", "misuri"),
    ("MS", "misisipi"),
    ("NC", "carolina del norte"),
    ("ND", "dakota del norte"),
    ("NH", "nuevo hampshire"),
    ("NJ", "nueva jersey, jersey"),
    ("NM", "nuevo mexico"),
    ("NY", "nueva york"),
    ("PA", "pensilvania"),
    ("SC", "carolina del sur"),
    ("SD", "dakota del sur"),
    ("TX", "tex"),
    ("WV", "virginia occidental"),
];

/// So that "not taken" can be an answer. After an equals sign is how it is written, too.
pub(super) const BRANDS: &str = "\
Aetna
Ambetter
Anthem=anthem blue cross
Blue Cross Blue Shield=blue cross and blue shield, bcbs, bluecross blueshield
Blue Cross=cruz azul
Blue Shield of California=blue shield california, blue shield de california, blue shield of ca
Blue Shield
CareFirst
CareSource
CHIP
Cigna
Fidelis Care=fidelis
Florida Blue
Health Net
Healthfirst
Highmark
Horizon Blue Cross
Humana
Independence Blue Cross=ibx
Kaiser Permanente=kaiser
Medi-Cal
Medicaid=medicade
Medicare=medicare advantage, medicare part b
Molina
Obamacare=marketplace insurance
Oscar Health=oscar insurance
Oxford Health
Premera
Providence Health Plan
Regence
Tricare
UnitedHealthcare=united health care, uhc, unitedhealth, united, optum
UPMC
CHAMPVA=va benefits
WellCare";

/// Professions that a clinic may not have, each with what it is called in English and in Spanish.
pub(super) const PROFESSIONS: [(&str, &str, &str); 7] = [
    (
        "(?<!(?:physical|speech|hormone|replacement|estrogen) )therap(?:y|ists?)|terap(?:ia|eutas?)(?! (?:hormon|de ree|fisica|del )[a-z ]*)",
        "therapists",
        "terapeutas",
    ),
    ("counsell?(?:ors?|ing)|consejer(?:[oa]s?|ia)", "counselors", "consejeros"),
    ("psychologists?|p?sicolog[oa]s?", "psychologists", "psicólogos"),
    ("psychiatrists?|p?siquiatras?", "psychiatrists", "psiquiatras"),
    (
        "dietit[a-z]+|dietistas?|nutritionists?|nutricionistas?|nutriolog[oa]s?",
        "dietitians",
        "nutricionistas",
    ),
    ("dentists?|dentistas?", "dentists", "dentistas"),
    ("midwi(?:fe|ves)|parteras?", "midwives", "parteras"),
];

/// Where no one can be seen, besides the countries that the browser knows.
pub(super) const ABROAD: &str =
    "london, londres, toronto, ciudad de mexico, mexico city, madrid, paris, el extranjero";

pub(super) const NEIGHBORS: [(&str, &str); 49] = [
    ("AL", "FL GA MS TN"),
    ("AR", "LA MO MS OK TN TX"),
    ("AZ", "CA CO NM NV UT"),
    ("CA", "AZ NV OR"),
    ("CO", "AZ KS NE NM OK UT WY"),
    ("CT", "MA NY RI"),
    ("DC", "MD VA"),
    ("DE", "MD NJ PA"),
    ("FL", "AL GA"),
    ("GA", "AL FL NC SC TN"),
    ("IA", "IL MN MO NE SD WI"),
    ("ID", "MT NV OR UT WA WY"),
    ("IL", "IA IN KY MO WI"),
    ("IN", "IL KY MI OH"),
    ("KS", "CO MO NE OK"),
    ("KY", "IL IN MO OH TN VA WV"),
    ("LA", "AR MS TX"),
    ("MA", "CT NH NY RI VT"),
    ("MD", "DC DE PA VA WV"),
    ("ME", "NH"),
    ("MI", "IN OH WI"),
    ("MN", "IA ND SD WI"),
    ("MO", "AR IA IL KS KY NE OK TN"),
    ("MS", "AL AR LA TN"),
    ("MT", "ID ND SD WY"),
    ("NC", "GA SC TN VA"),
    ("ND", "MN MT SD"),
    ("NE", "CO IA KS MO SD WY"),
    ("NH", "MA ME VT"),
    ("NJ", "DE NY PA"),
    ("NM", "AZ CO OK TX UT"),
    ("NV", "AZ CA ID OR UT"),
    ("NY", "CT MA NJ PA VT"),
    ("OH", "IN KY MI PA WV"),
    ("OK", "AR CO KS MO NM TX"),
    ("OR", "CA ID NV WA"),
    ("PA", "DE MD NJ NY OH WV"),
    ("RI", "CT MA"),
    ("SC", "GA NC"),
    ("SD", "IA MN MT ND NE WY"),
    ("TN", "AL AR GA KY MO MS NC VA"),
    ("TX", "AR LA NM OK"),
    ("UT", "AZ CO ID NM NV WY"),
    ("VA", "DC KY MD NC TN WV"),
    ("VT", "MA NH NY"),
    ("WA", "ID OR"),
    ("WI", "IA IL MI MN"),
    ("WV", "KY MD OH PA VA"),
    ("WY", "CO ID MT NE SD UT"),
];
