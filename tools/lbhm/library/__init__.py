"""What liblbhm.so says about itself: policies, settings, what is wrong with them."""
