"""What holds for all tests."""

import os

# whatever the locale: what is shown is compared with English, also that of commands which are started
os.environ["LANGUAGE"] = "en"
