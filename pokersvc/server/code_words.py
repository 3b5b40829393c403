"""Words that people copy from one screen to another; they make up a code for moving to another device.

Each of the 1,024 words stands for 10 random bits. The words are common, short and different, and none is the beginning
of another, so that a code can be read even without its spaces.
"""

import secrets
from typing import Final

_LIST: Final = """
    able about above acorn actor adapt adopt adult after again agent agree ahead airy alarm album alert alike alive
    alley allow alone along also amber ample angle ankle apart apple april apron arch arena argue arm arrow ash aside
    ask aspen atlas attic avoid awake award aware azure baby bacon badge bagel baker ball band banjo bank barge bark
    barn basil basin batch bath baton bay bead beam bed beef begin being bell below belt bench best big bike birch bird
    blade blank blend bless bloom boat body boil bold bolt bone bonus book boost both bowl box brand brass brave brick
    brief bring brisk broad brook broom brown brush build bulb bunny bus buyer buzz cabin cable cake calf calm camel
    camp canal candy cape care cargo carol carve case cash cat cause cave cedar chain chair chalk charm chart chase
    chess chest chew chief child chime chip cider city civil claim clam clay clean clear cliff climb clock close cloth
    cloud club coach coast coat cobra cocoa code coil coin cold comet comic copy coral cork corn couch count cover cow
    cozy crab craft crane cream creek crew crisp crop cross crowd crown crumb crust cube cup curve cycle daily dairy
    daisy damp dance dark dash data date dawn day deal deck deep delay delta denim dense depth desk dial diary dig dish
    diver dizzy dock dodge dog doll donor door dough dove down dozen draft drama draw dream dress drift drill drink
    drive drop drum dry duck dune dust duty each eager eagle early earth east easy echo edge egg eight elbow elder elect
    elk elm else ember empty end enjoy enter envy epic equal erase essay even ever exact exam exit extra face fact fade
    fancy far fast fawn feast feed fence fern ferry fetch few field fifty fig film final finch find fire fish five flag
    flame flash flat fleet flint float flock flood floor flow flute fly foam focus fog foil folk fond food foot fork
    form forty fox frame free fresh frog front frost fruit fuel full fun gable gale game gauge gear gem giant gift give
    glad glass glaze glee glide globe glove glow glue goal goat gold golf good goose gown grace grain grand grape grass
    green grid grin grip group grove grow guard guess guest guide gulf gust gym habit half halo hand happy hard harp hat
    hawk hay hazel head heap heart heat heavy hedge help herb hero hike hill hint hippo hobby hold holly home honey hood
    hoof hook hope horn host hotel house hover huge human hurry hut ice icon idea igloo image inch ink inlet inner input
    iris iron ivory ivy jar jaw jazz jeans jelly jewel job jog join joke jolly joy judge juice jumbo jump just kale
    kayak keen keep kept kick kind king kiosk kite kiwi knee knock koala label lace ladle lady lake lamb lamp land lane
    lap large laser last late laugh lava lawn layer lazy leaf learn lease left lemon lend lens level lever lid life lift
    light like lilac lily lime linen link lion list live llama load loaf lobby local loft logic long look loop loud love
    low loyal lucky lunar lunch magic major make mango manor maple march marsh mask mason match math mayor maze meal
    mean melon melt menu merit metro mild mile milk mill mimic mind mint mixer model money month mood moon moose moss
    most motel mount mouse mouth move movie much mud mule music must myth nail name navy near neat neck need neon nerve
    nest net never next nice niece nine noble noise noon north nose note novel nurse nylon oak oasis oat oboe ocean
    offer often oil olive omega once onion only onto opal open opera orbit order other otter ounce outer oval oven over
    owl own pack page paint palm panda panel paper park party pass pasta patch path pave peach pecan peel pen perch
    petal phone photo piano pilot pine pink pint pipe pitch pizza place plate play plaza plot plum plus poem poet point
    polar polka pond pony pool porch port pouch pound power press price prime print prism prize proof proud pull pulse
    pump puppy purse push put quail quart queen quest quick quiet quill quilt quiz quote race radar radio raft rail
    raise rally ranch range rapid rare raven razor reach ready reef relax rent reply rhyme rice rich ride ridge rise
    rival river roast robin robot rodeo roof room rope rotor round royal ruby rug ruler run rural rush safe sage salad
    salt same sand satin sauna save scale scarf scout seat seed sense seven shade shape share shark sharp shawl sheep
    shelf shell shift shine ship shirt shop shore short shout show shrub shut side sigh silk silly since sing siren six
    skate ski sky slate sled sleep slice slide slim slow small smart smile smoke snack snail snow soap sock soda sofa
    soft soil solar solid solo solve song soon sound soup south space spare spark speak speed spell spice spoon sport
    spot spray squid staff stage stamp stand star steam stem step stick still stock stone stool store storm story stove
    straw study style such sugar suit sure surf swan swift swim swing syrup talk tango tape task taste taxi teach team
    tent term test thank that theme then thick thin third this thorn three thumb tidy tiger tile tiny title toast today
    tofu token tone tool tooth topic torch total touch tour towel tower town toy track trade train tray treat tree trend
    trial tribe trick trim trip trout truck true trunk trust truth try tulip tuna turn tutor twice twin type uncle under
    union unit until upon upper urban urge usual value valve van vast vault verb very vest video view villa vine vinyl
    visit vital vivid vocal voice vote wafer wagon walk wall want ward warm wash water weave web wedge well west wheat
    wheel when while whisk white why wide width wild wind wing wire wise wish with wolf wool word work world worth wren
    wrist yacht yard yarn year yes yet yield yoga young youth zebra zero zest zinc zone zoo
"""
WORDS: Final = tuple(_LIST.split())
"""The words in alphabetical order, each of 3 to 5 small letters."""
WORDS_OF_A_CODE: Final = 6
"""The number of words in a code: 6 × 10 = 60 random bits."""


def new_code() -> str:
    """Return a new code of 60 random bits.

    >>> len(new_code().split())
    6
    """
    return " ".join(secrets.choice(WORDS) for _ in range(WORDS_OF_A_CODE))


def letters_of(code: str) -> str:
    """Return the letters of a code; capitals, spaces and dashes make no difference.

    >>> letters_of(" Acorn-able  GLOVE ")
    'acornableglove'
    """
    return "".join(filter(str.isalpha, code.lower()))
