"""Write the phrases of `noughts.games.phrases` as a module for the scripts of the pages.

python tools/phrases.py > src/noughts/web/static/core/phrases.js
"""

import json

from noughts.games.phrases import ON_PAGE, PHRASES, PLACES

print("// Written by tools/phrases.py from noughts/games/phrases.py: change them there.\n")
for name, value in (("PLACES", PLACES), ("PHRASES", PHRASES), ("ON_PAGE", ON_PAGE)):
    print(f"export const {name} = {json.dumps(value, ensure_ascii=False, indent=2)};")
