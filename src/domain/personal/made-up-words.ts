/** Names that suit anybody, so that "she" and "he" around them stay right. */
export const MADE_UP_GIVEN =
  'Arden Blair Casey Devin Emery Frankie Gale Harper Indigo Jamie Kendall Lennox Marley Noel Oakley Parker Quincy Remy Sasha Tatum Umber Vesper Wynn Xen Yael Zephyr Briar Campbell Darcy Ellery Finley Greer Hollis Jules Kit Linden Merritt Nico Perry Reese Shiloh Tierney'.split(
    ' ',
  );

export const MADE_UP_FAMILY =
  'Ashdown Birchall Calderwood Dunmore Eastwick Farrow Garside Hartwell Ingleby Jessup Kirkbride Langford Merriden Northcott Oldacre Pemberley Quarles Redfern Stanmore Thornbury Underhill Varley Wetherby Yarwood Amblecote Brockhurst Copperfield Dovedale Elmstead Fenwright Goodacre Haverley Islington Kestrel Lockridge Marwood Netherby Ottershaw Penhallow Ravensworth'.split(
    ' ',
  );

export const MADE_UP_STREETS =
  'Alder Bramble Cedar Dogwood Elder Fern Gorse Hazel Juniper Larch Mulberry Nettle Poplar Quarry Rowan Sorrel Thistle Willow Yarrow Bluff'.split(
    ' ',
  );

export const MADE_UP_PLACES =
  'Ambleton Brackford Corvale Dunhollow Eastmere Fallowfield Grimsby Harrowgate Kingsmere Larkfield Millhaven Norwick Overton Pinehurst Roseford Stillwater Thornfield Upbrook Westmarch Yarmouth'.split(
    ' ',
  );
