#!/bin/sh
# Debian packages that some tests drive. Installed when this user may; named clearly when not.
set -u
missing=""
command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 || missing="$missing chromium"
command -v tesseract >/dev/null 2>&1 || missing="$missing tesseract-ocr tesseract-ocr-osd"
[ -f /usr/share/tesseract-ocr/5/tessdata/fra.traineddata ] || missing="$missing tesseract-ocr-fra"
command -v c++ >/dev/null 2>&1 || missing="$missing g++"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing$missing"
    apt-get update -qq >/dev/null && apt-get install -y -qq --no-install-recommends $missing >/dev/null && exit 0
fi
echo "missing system packages:$missing (tests that drive them will be skipped); install them with: sudo apt-get install$missing"
exit 0
