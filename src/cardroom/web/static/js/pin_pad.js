// The keypad for a PIN on a tablet, instead of its own keyboard.
{
  const pin = document.getElementById("pin");
  pin.inputMode = "none";
  document.querySelector(".pad").onclick = ({ target: { value } }) => {
    if (value) pin.value = (value === "-" ? pin.value.slice(0, -1) : pin.value + value).slice(0, 8);
  };
}
