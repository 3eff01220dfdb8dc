/*! noughts $version: <noughts-board>, boards to look at, to play and to replay. MIT License. */
(function noughtsBoard(packed) {
"use strict";
$script
$main.start(noughtsBoard, packed);
})("$core");
