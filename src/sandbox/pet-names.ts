/** The part of json-schema-faker's seeded random generator that is needed to draw a name. */
export interface Draw {
  /** A number in [0, 1). */
  next(): number;
  /** One of the entries, with equal probability. */
  pick<T>(entries: readonly T[]): T;
}

const given = wordsOf(`
  Acorn Apollo Basil Bean Bella Biscuit Bramble Bruno Button Caramel Cedar Cheddar Chestnut Clementine Clover Coco
  Cookie Cricket Crumpet Daisy Dandelion Dexter Domino Dumpling Echo Felix Fennel Fern Fidget Figaro Finn Flora Freckle
  Fudge Gingersnap Goose Hazel Heidi Honey Hugo Indigo Iris Ivy Jasper Juniper Kiwi Leo Lola Luna Mango Maple Marble
  Marigold Milo Mimosa Minnow Mochi Moss Muffin Nacho Nettle Nori Nutmeg Oakley Olive Otis Pancake Pebble Peanut Pepper
  Pesto Pickle Pip Poppy Pretzel Pudding Quill Quincy Radish Rosie Rufus Saffron Scout Sesame Sorrel Sprout Tango Tansy
  Teasel Thistle Toffee Truffle Tulip Turnip Umber Velvet Waffle Willow Winnie Yuki Zephyr Ziggy`);

const family = wordsOf(`
  Applegate Barkley Bellwether Blackpaw Bounceworth Brightwater Bristlecone Brookside Bumblefoot Burrowes Buttercup
  Cloudberry Copperfield Cottontail Dashwood Dewdrop Driftwood Fairweather Featherstone Fernsby Fizzlewick Fluffington
  Foxglove Furlong Gallagher Goldwhistle Greywhisker Hazelwood Hedgerow Hollyhock Honeycomb Kettleworth Larkspur
  Lightfoot Longtail Meadowsweet Mistletoe Moonbeam Mudlark Nightingale Nimblepaw Nuttall Oddsocks Partridge Pawsley
  Pennywhistle Pepperpot Puddlejump Quickstep Rainford Ravenscroft Rumblebelly Scamperton Silverwing Snowdrop Softwick
  Sparrowhawk Sunbury Sweetbriar Thornbury Thunderpaws Tumbleweed Twitchett Underhill Wagstaff Waterlily Whiskerton
  Wigglesworth Windermere Woolacombe Yarrow`);

const titles = wordsOf(
  'Admiral Baron Captain Chief Count Doctor Duchess Lady Lord Madame Major Miss Mister Old Professor Sir',
);

const elsewhere = wordsOf(`
  Águila Bigotes Canelé Čapek Ğonca İnci Łatka Mörrchen Ñandú Øre Réglisse Żabka Белка Мурзик Пушок Снежок Ζουζού Μπίλυ
  Աստղիկ ნუცა לביבה שוקו بندق مشمش لولو گربه मोती शेरू मिठू লালু தங்கம் ส้มโอ ทองดี 小雪 豆豆 旺財 きなこ ハナ 모모 나비`);

/**
 * Draws a name that reads like a pet's: `Waffle`, `Captain Juniper`, `Basil Featherstone`, `きなこ`. There are about
 * 9,000, so ten thousand pets share few.
 */
export function drawPetName(draw: Draw): string {
  const kind = draw.next();
  if (kind < 0.04) return draw.pick(elsewhere);
  if (kind < 0.12) return draw.pick(given);
  if (kind < 0.3) return `${draw.pick(titles)} ${draw.pick(given)}`;
  return `${draw.pick(given)} ${draw.pick(family)}`;
}

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
